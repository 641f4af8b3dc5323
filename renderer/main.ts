import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { openSession } from './live/backend/session.ts';
import { removeOldStorage } from './live/old-storage.ts';
import { createInspectorRouter } from './router.ts';

// Run this before the router reads the address: the token must not become a route.
openSession();
removeOldStorage();
// An older browser shows the text in index.html, and no key can open anything over it. These two features are the
// newest that the page needs: they came in Chrome 123, Safari 17.5 and Firefox 124. Where this script cannot run at
// all, styles/tokens.css shows the text.
if (CSS.supports('color', 'light-dark(red, red)') && 'any' in AbortSignal)
  createApp(App).use(createPinia()).use(createInspectorRouter()).mount('#app');
else document.querySelector('.too-old')?.removeAttribute('hidden');
