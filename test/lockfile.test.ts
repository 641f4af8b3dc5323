import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock;

test('the lockfile has every optional package that its packages name, so that npm ci works on every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

test('the lockfile has no download addresses', () => {
  expect(
    Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined && /^https?:/.test(resolved)),
  ).toEqual([]);
});
