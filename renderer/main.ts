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
createApp(App).use(createPinia()).use(createInspectorRouter()).mount('#app');
