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
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: resolve(here, 'index.html'),
      // What every page loads in one file: else views share a dozen small ones with it, a request each.
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
} satisfies UserConfig;
