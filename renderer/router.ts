import { createRouter, createWebHashHistory, type Router } from 'vue-router';
import HomeView from './home/HomeView.vue';
import RequestsView from './requests/RequestsView.vue';

/** Hash history: the same address works in the window and in any browser, and needs nothing of the server. */
export function createInspectorRouter(): Router {
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', name: 'home', component: HomeView, meta: { title: 'Home' } },
      { path: '/requests/:id?', name: 'requests', component: RequestsView, meta: { title: 'Requests' } },
      { path: '/:rest(.*)*', redirect: '/' },
    ],
  });
}
