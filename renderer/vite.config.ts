import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import type { Plugin, UserConfig } from 'vite';

// `import.meta.dirname` does not work here: electron-vite bundles this file and rewrites only `import.meta.url`.
const here = dirname(fileURLToPath(import.meta.url));

/** Preloads the fonts with the code. Otherwise they arrive after the first paint, and the page is painted again. */
const fontsFirst: Plugin = {
  name: 'fonts-first',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => file.endsWith('.woff2'))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        })),
  },
};

/** The inspector. `vite renderer` serves it without a build, next to an emulator on the default ports. */
export default {
  root: here,
  base: './',
  plugins: [vue(), fontsFirst],
  server: { host: '127.0.0.1', proxy: { '/control': 'http://127.0.0.1:4748' } },
  build: {
    outDir: resolve(here, '../out/renderer'),
    emptyOutDir: true,
    minify: true,
    // The first browsers with light-dark(), which the build would otherwise rewrite for older ones.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // No data: URLs: fonts and scripts may come only from our own origin.
    assetsInlineLimit: 0,
    // Size does not matter: the chunks come from this machine.
    chunkSizeWarningLimit: Infinity,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: resolve(here, 'index.html'),
      // One chunk for the modules of every page, one for those that views share. Otherwise each small module is a
      // request of its own, a dozen for the first view that is opened.
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            // Large, and needed only by views with a code field.
            { name: 'editor', test: /CodeEditor\.vue|codemirror|@lezer/, minShareCount: 2, priority: 1 },
            { name: 'shared', test: /[\\/]renderer[\\/]|lucide/, minShareCount: 2 },
          ],
        },
      },
    },
  },
} satisfies UserConfig;
