import type { TestProject } from 'vitest/node';
import { serveChromium } from './chromium.ts';

/** The address of the one browser of a run, or why there is none. */
export type SharedBrowser = { readonly address: string } | { readonly problem: string };

declare module 'vitest' {
  interface ProvidedContext {
    readonly browser: SharedBrowser;
  }
}

/** Before the browser tests: one browser for all of them, in which each page has its own context. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const server = await serveChromium();
    project.provide('browser', { address: server.wsEndpoint() });
    return () => server.close();
  } catch (error) {
    project.provide('browser', { problem: error instanceof Error ? error.message : String(error) });
  }
}
