import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The file of tsx that can register itself in a worker; `tsx/esm/api` resolves to the CommonJS one, which cannot. */
function tsxApi(): string {
  const tsx = createRequire(import.meta.url).resolve('tsx/package.json');
  return new URL('dist/esm/api/index.mjs', pathToFileURL(tsx)).href;
}

/**
 * Starts a worker thread on `workerUrl`, which the entry computes (`new URL('./catalog-worker.cjs', import.meta.url)`):
 * a URL computed in a shared module would be relative to the chunk into which the bundler put that module. A built
 * worker is loaded as it is; a `.ts` worker (tsx, vitest) through tsx, because Node 20 can neither load TypeScript in a
 * worker nor take `--import` there.
 */
export function spawnWorker(workerUrl: URL, options: WorkerOptions = {}): Worker {
  if (!workerUrl.pathname.endsWith('.ts')) return new Worker(workerUrl, options);
  const bootstrap = `import(${JSON.stringify(tsxApi())}).then((tsx) => {
    tsx.register();
    return import(${JSON.stringify(workerUrl.href)});
  });`;
  return new Worker(bootstrap, { ...options, eval: true });
}
