import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { openSession } from './live/backend/session.ts';
import { removeOldStorage } from './live/old-storage.ts';
import { createInspectorRouter } from './router.ts';

// Before the router reads the address: the token must not become a route.
openSession();
removeOldStorage();
// An older browser shows the text in index.html, and nothing that a key opens over it. Of what the page needs, these came
// last: in Chrome 123 and Safari 17.5, and in Firefox 124. Where this script cannot run, styles/tokens.css shows the text.
if (CSS.supports('color', 'light-dark(red, red)') && 'any' in AbortSignal)
  createApp(App).use(createPinia()).use(createInspectorRouter()).mount('#app');
else document.querySelector('.too-old')?.removeAttribute('hidden');
