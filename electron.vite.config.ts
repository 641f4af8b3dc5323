import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'electron-vite';
import renderer from './renderer/vite.config.ts';

const root = (path: string): string => resolve(import.meta.dirname, path);
const { version } = JSON.parse(readFileSync(root('package.json'), 'utf8')) as { version: string };

/** What Koa looks up by the end of a file's name, or by a short name. */
const lookedUp = new Set(['bin', 'css', 'csv', 'html', 'js', 'json', 'svg', 'txt', 'xml']);

/**
 * Koa, and packages that it needs, each bring all 2,500 media types; reading and sorting them takes an eighth of a start.
 * The build gets those that are looked up, and those with a charset.
 */
const fewMediaTypes = {
  name: 'few-media-types',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === 'mime-db' ? '\0mime-db' : null),
  load(id: string) {
    if (id !== '\0mime-db') return null;
    const all = createRequire(import.meta.url)('mime-db') as Record<
      string,
      { charset?: string; extensions?: string[] }
    >;
    const few = Object.entries(all).filter(
      ([, { charset, extensions = [] }]) => charset !== undefined || extensions.some((one) => lookedUp.has(one)),
    );
    return `module.exports = ${JSON.stringify(Object.fromEntries(few))}`;
  },
};

/** Replaces a piece of code that a file of a package has once. @param file the end of its path */
const replacing = (file: string, piece: string, by: string) => ({
  name: `replacing ${piece}`,
  transform(code: string, id: string) {
    if (!id.endsWith(file)) return null;
    const [before, after, ...more] = code.split(piece);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`${file} does not have ${piece} exactly once, as it had.`);
    return `${before}${by}${after}`;
  },
});

/** Files of the user, such as a config that is an ES module, are imported by code that Node itself loads (bin/native-import.cjs). */
const nativeImport = replacing(
  '/jiti/lib/jiti-static.mjs',
  'import(id)',
  "createRequire(import.meta.url)('../../bin/native-import.cjs')(id)",
);

/** Vitest's `vmThreads` replace this module by one of which jiti can make no modules. Node 22.0 to 22.2 have no such function. */
const nodesOwnModule = replacing(
  '/jiti/dist/jiti.cjs',
  'require("node:module")',
  '(process.getBuiltinModule?.("node:module")??require("node:module"))',
);

/** The files of a build, as Rolldown passes them to `generateBundle`. */
interface Bundle {
  readonly [file: string]: { readonly exports?: readonly string[]; code?: string };
}

/** What programs import from the package: ES modules that offer what the CommonJS files of the build export. */
const importable = {
  name: 'importable',
  generateBundle(
    this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string },
    _options: unknown,
    bundle: Bundle,
  ) {
    for (const name of ['config', 'testing']) {
      const names = bundle[`${name}.cjs`]?.exports?.join(', ');
      const source = `import built from './${name}.cjs';\nexport const { ${names} } = built;\n`;
      this.emitFile({ type: 'asset', fileName: `${name}.js`, source });
    }
  },
};

/**
 * Writes all characters but ASCII as escapes, which mean the same except in `String.raw`. V8 holds a source with a single
 * character such as “→” in two bytes for each of its characters: 3 MB of an idle server.
 */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options: unknown, bundle: Bundle) {
    for (const file of Object.values(bundle))
      file.code &&= file.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
  },
};

export default defineConfig({
  main: {
    // Koa's way to warn of old calls runs code that it writes. Its variant for browsers warns of nothing and needs none.
    resolve: { alias: { depd: root('node_modules/depd/lib/browser/index.js') } },
    plugins: [fewMediaTypes, nativeImport, nodesOwnModule, importable, asciiOnly],
    define: { SANDPIPER_VERSION: JSON.stringify(version) },
    build: {
      outDir: 'out/main',
      // Everything is bundled: a start that loads a few files takes half the time of one that loads node_modules.
      externalizeDeps: false,
      rollupOptions: {
        external: ['electron'],
        // Jest has neither in its environment jsdom.
        transform: { inject: { TextEncoder: ['node:util', 'TextEncoder'], TextDecoder: ['node:util', 'TextDecoder'] } },
        input: {
          cli: root('emulator/cli.ts'),
          config: root('emulator/config.ts'),
          testing: root('emulator/testing.ts'),
          main: root('electron/main.ts'),
          'catalog-worker': root('emulator/features/catalog/check/worker.ts'),
        },
        // CommonJS, because Node can keep what V8 compiled of it (bin/compiled.cjs). No folder in the names of chunks:
        // the worker's URL is resolved beside the entry.
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name]-[hash].cjs',
          // Comments and white space are left out, as they too are read at each start; names stay, for stacks of errors.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rollupOptions: {
        // One for Electron's sandbox, where it must be CommonJS, and one that `exec --as-production` loads into programs
        // of any Node, with --require.
        input: {
          preload: root('electron/preload.ts'),
          'node-preload': root('emulator/production/node-preload.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
});
