import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import type { Plugin, UserConfig } from 'vite';

// Not import.meta.dirname: electron-vite bundles this file into its config and rewrites only import.meta.url.
const here = dirname(fileURLToPath(import.meta.url));

/** Asks for the fonts together with the code: else they come after the page was drawn, which is then done again. */
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
    // Nothing as data: URL: fonts and scripts come from our own origin only.
    assetsInlineLimit: 0,
    // They come from this machine.
    chunkSizeWarningLimit: Infinity,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: resolve(here, 'index.html'),
      // One file of what every page loads and one of what views share: else each small module is a request of its own, a
      // dozen for the first view that is opened.
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            // Large, and only for the views with a field for code.
            { name: 'editor', test: /CodeEditor\.vue|codemirror|@lezer/, minShareCount: 2, priority: 1 },
            { name: 'shared', test: /[\\/]renderer[\\/]|lucide/, minShareCount: 2 },
          ],
        },
      },
    },
  },
} satisfies UserConfig;
