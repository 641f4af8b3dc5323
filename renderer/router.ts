import { createRouter, createWebHashHistory, type Router } from 'vue-router';
import { useToasts } from './kit/toasts.ts';
import { sections } from './sections.ts';

/** Uses hash history: the same address works in the window and in any browser, and the server needs no routes. */
export function createInspectorRouter(): Router {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      ...sections.map(({ name, path, title, view }) => ({ name, path, component: view, meta: { title } })),
      { path: '/:rest(.*)*', redirect: '/' },
    ],
  });
  router.afterEach(({ redirectedFrom }) => {
    if (redirectedFrom) useToasts().refuse('No view has the address that was opened, so Home is shown.');
  });
  return router;
}
