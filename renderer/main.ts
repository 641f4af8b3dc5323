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
// An older browser shows the text in index.html, see styles/tokens.css, and nothing that a key opens over it.
if (CSS.supports('color', 'light-dark(red, red)'))
  createApp(App).use(createPinia()).use(createInspectorRouter()).mount('#app');
