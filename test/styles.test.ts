import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const tokens = 'renderer/styles/tokens.css';

interface Sheet {
  /** Of a `.css` file, or of a component with the number of its style block. */
  readonly path: string;
  readonly css: string;
}

/** Files of the page by path. */
const files: ReadonlyMap<string, string> = new Map(
  readdirSync(join(root, 'renderer'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:vue|ts|css|html|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(root, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
);
const pathsOf = (ending: string): readonly string[] => [...files.keys()].filter((path) => path.endsWith(ending));

interface Block {
  readonly path: string;
  readonly scoped: boolean;
  readonly src: string | null;
  readonly css: string;
}
const blocks: readonly Block[] = pathsOf('.vue').flatMap((path) =>
  [...(files.get(path) ?? '').matchAll(/^<style\b([^>]*)>(.*?)<\/style>/gms)].map((match) => {
    const [, attributes = '', css = ''] = match;
    const src = /\bsrc="([^"]+)"/.exec(attributes)?.[1];
    return {
      path,
      scoped: /\bscoped\b/.test(attributes),
      src: src === undefined ? null : relative(root, resolve(root, dirname(path), src)).replaceAll('\\', '/'),
      css,
    };
  }),
);

const withoutComments = (css: string): string => css.replaceAll(/\/\*.*?\*\//gs, '');
const sheets: readonly Sheet[] = [
  ...pathsOf('.css').map((path) => ({ path, css: withoutComments(files.get(path) ?? '') })),
  ...blocks.map(({ path, css }) => ({ path, css: withoutComments(css) })),
];

/** What every component may use: values, resets, and the classes of controls. */
const forAll = [tokens, 'renderer/styles/base.css', 'renderer/styles/controls.css'];

/** Components whose styles reach the whole page. */
const unscoped: readonly string[] = [];

test('the styles of a component are scoped', () => {
  expect(blocks.length).toBeGreaterThan(100);
  expect(blocks.filter(({ scoped }) => !scoped).map(({ path }) => path)).toEqual(unscoped);
});

test('only tokens, resets and controls are for the whole page, and only its entry imports them', () => {
  const imported = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/(?:import\s+|import\(|@import\s+(?:url\()?|from\s+)['"]([^'"]+\.css)['"]/g)].map(
      ([, target = '']) => `${path} → ${target}`,
    ),
  );
  expect(imported).toEqual(forAll.map((path) => `renderer/main.ts → ./${relative('renderer', path)}`));
});

test('every other sheet is shared by components of one folder, and scoped to each', () => {
  const others = pathsOf('.css').filter((path) => !forAll.includes(path));
  const odd = others.filter((path) => {
    const users = blocks.filter(({ src }) => src === path);
    return users.length < 2 || users.some((user) => dirname(user.path) !== dirname(path));
  });
  expect(odd).toEqual([]);
});

test('a component that scopes its styles sets none of an element of the page', () => {
  const reaching = blocks.filter(({ css }) => /:global\(|(?<![\w-]):root\b|(?<![\w.-])(?:html|body)\s*[{,]/.test(css));
  expect(reaching.map(({ path }) => path)).toEqual(unscoped);
});

const named =
  'white|black|red|green|blue|gray|grey|orange|yellow|silver|navy|teal|purple|maroon|olive|lime|aqua|fuchsia';
const literals = [
  /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![\w-]*\s*\{)/i,
  /(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i,
  new RegExp(String.raw`:[^;{}]*(?<![\w-])(?:${named})(?![\w-])[^;{}]*;`, 'i'),
];

test('a colour is written in the tokens only', () => {
  const written = sheets.filter(({ path, css }) => path !== tokens && literals.some((one) => one.test(css)));
  expect(written.map(({ path }) => path)).toEqual([]);
  // Also in code and templates: a style that is bound, a canvas, the theme of the editor. An address ends in no colour.
  const code = [...files].filter(([path]) => /\.(?:ts|vue|html)$/.test(path));
  const bound = code.filter(([, text]) =>
    /['"`\s:]#(?:[0-9a-f]{6}|[0-9a-f]{8})['"`;\s]|(?<![\w.-])(?:rgba?|hsla?|oklch)\(\s*[\d.]/i.test(text),
  );
  expect(bound.map(([path]) => path)).toEqual([]);
});

test('the dark palette is written once, beside the light one', () => {
  const css = withoutComments(files.get(tokens) ?? '');
  const declared = [...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => ({ name, value }));
  const coloured = declared.filter(({ value }) => literals.some((one) => one.test(`:${value};`)));
  // Each has both colours at once, and no second place that says them.
  expect(coloured.length).toBeGreaterThan(50);
  expect(coloured.filter(({ value }) => !value.includes('light-dark('))).toEqual([]);
  expect(coloured.map(({ name }) => name)).toEqual([...new Set(coloured.map(({ name }) => name))]);

  const choosing = sheets.filter(({ css: text }) =>
    /prefers-color-scheme|data-theme|color-scheme:|light-dark\(/.test(text),
  );
  expect(choosing.map(({ path }) => path)).toEqual([tokens]);
  expect(css).not.toContain('prefers-color-scheme');
  const themed = [...css.matchAll(/\[data-theme=[^{]*\{([^}]*)\}/g)].map(([, body = '']) => body.trim());
  expect(themed).toEqual(['color-scheme: light;', 'color-scheme: dark;']);
});

test('what moves or fades is drawn without a new layout, in the times that are zero with reduced motion', () => {
  const painted = /^(?:opacity|translate|transform|background(?:-color)?|border-color|box-shadow|outline(?:-offset)?)$/;
  const odd = sheets.flatMap(({ path, css }) => {
    const faded = [...css.matchAll(/transition:([^;]+);/g)].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim().split(/\s+/)),
    );
    const moved = [...css.matchAll(/@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)/g)].flatMap(([, steps = '']) =>
      [...steps.matchAll(/([\w-]+):/g)].map(([, name = '']) => name),
    );
    const timed = [...css.matchAll(/animation:([^;]+);/g)].filter(([, how = '']) => !/var\(--t-|\b0s\b/.test(how));
    return [
      ...faded.filter(([name = '', time = '']) => !painted.test(name) || !time.startsWith('var(--t-')),
      ...moved.filter((name) => !painted.test(name) && name !== 'visibility'),
      ...timed,
    ].map((one) => `${path}: ${String(one)}`);
  });
  expect(odd).toEqual([]);
});
