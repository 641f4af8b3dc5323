import { parseYaml } from '@redocly/openapi-core';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const config = parseYaml(read('electron-builder.yml')) as {
  readonly [name: string]: unknown;
  readonly files: readonly string[];
  readonly linux: { readonly target: readonly string[]; readonly icon: string };
  readonly mac: { readonly target: readonly { readonly target: string }[]; readonly icon: string };
  readonly win: { readonly target: readonly string[]; readonly icon: string };
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
};
const manifest = JSON.parse(read('package.json')) as {
  readonly main: string;
  readonly scripts: { readonly [name: string]: string };
  readonly dependencies?: unknown;
  readonly devDependencies: { readonly [name: string]: string };
};

test('every fuse that weakens the app is off, and those that protect it are on', () => {
  expect(config['electronFuses']).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    grantFileProtocolExtraPrivileges: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
  });
  expect(config['asar']).toBe(true);
});

test('on Windows the app has the id of its shortcuts, which its notifications need', () => {
  expect(read('electron/main.ts')).toContain(`app.setAppUserModelId('${String(config['appId'])}')`);
});

test('the app is packaged for three systems, with an icon and its links', () => {
  expect(config.linux.target).toEqual(['AppImage', 'deb']);
  expect(config.mac.target.map(({ target }) => target)).toEqual(['dmg']);
  expect(config.win.target).toEqual(['nsis']);
  expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['sandpiper']);
  for (const size of [16, 32, 48, 64, 128, 256, 512, 1024]) {
    const png = readFileSync(join(root, config.linux.icon, `${size}x${size}.png`));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  }
  for (const { icon } of [config.mac, config.win]) expect(existsSync(join(root, icon))).toBe(true);
});

test('only the build is in the app: no source, no npm package', () => {
  expect(config.files.filter((pattern) => !pattern.startsWith('!'))).toEqual([
    'out/main/**',
    'out/preload/**',
    'out/renderer/**',
    'package.json',
  ]);
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.main).toBe('./out/main/main.cjs');
  expect(config['npmRebuild']).toBe(false);
});

test('there is no update server, and nothing turns the sandbox off', () => {
  expect(config['publish']).toBeNull();
  for (const path of ['electron-builder.yml', 'electron/main.ts', 'emulator/commands/open.ts'])
    expect(read(path).replaceAll(/#.*$/gm, ''), path).not.toContain('no-sandbox');
});

test('Electron is a current one, and its packager is not among the packages of a checkout', () => {
  expect(Number(/\d+/.exec(manifest.devDependencies['electron'] ?? '')?.[0])).toBeGreaterThanOrEqual(45);
  expect(Object.keys(manifest.devDependencies)).not.toContain('electron-builder');
  expect(manifest.scripts['dist']).toContain('electron-builder@26.17.0');
});
