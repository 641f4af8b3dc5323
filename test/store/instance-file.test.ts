import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { keptToken, readInstance, writeInstance } from '../../emulator/store/instance-file.ts';
import { newFolder } from './support.ts';

const instance = { apiUrl: 'a', authUrl: 'b', inspectorUrl: 'c', localInspectorUrl: 'd', token: 'secret', pid: 1 };
const chosen = 'a-token-of-twenty-characters';
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

function made(): string {
  const folder = newFolder();
  mkdirSync(folder);
  return folder;
}

/** A file that others may read, outside the data folder. */
function elsewhere(folder: string, text: string): string {
  const path = join(dirname(folder), 'elsewhere');
  writeFileSync(path, text);
  chmodSync(path, 0o644);
  return path;
}

test('only its user can read control.json, even if it replaces one that others could read', () => {
  const folder = made();
  writeFileSync(join(folder, 'control.json'), '{}');
  chmodSync(join(folder, 'control.json'), 0o666);
  writeInstance(folder, instance);
  expect(modeOf(join(folder, 'control.json'))).toBe(0o600);
  expect(readInstance(folder)).toEqual(instance);
  expect(readdirSync(folder)).toEqual(['control.json']);
});

test.for(['{}', 'null', '5', '[]', '{"token":"secret"}', '{"localInspectorUrl"'])(
  'a control.json that is not as we write it counts as none: %s',
  (text) => {
    const folder = made();
    writeFileSync(join(folder, 'control.json'), text);
    expect(readInstance(folder)).toBeNull();
  },
);

test.for(['control.json', 'control.json.tmp'])('the token is never written through a link (%s)', (name) => {
  const folder = made();
  const target = elsewhere(folder, 'untouched');
  symlinkSync(target, join(folder, name));
  writeInstance(folder, instance);
  expect([readFileSync(target, 'utf8'), modeOf(target)]).toEqual(['untouched', 0o644]);
  expect(lstatSync(join(folder, 'control.json')).isFile()).toBe(true);
  expect(readInstance(folder)).toEqual(instance);
});

test('a stored token stays, and becomes readable only by its user', () => {
  const folder = made();
  const path = join(folder, 'control-token');
  writeFileSync(path, `${chosen}\n`);
  chmodSync(path, 0o644);
  expect(keptToken(folder)).toBe(chosen);
  expect(modeOf(path)).toBe(0o600);
});

test.for([chosen, 'short'])(
  'a link instead of the stored token (to %j) is replaced, and its target is not changed',
  (text) => {
    const folder = made();
    const target = elsewhere(folder, text);
    symlinkSync(target, join(folder, 'control-token'));
    const token = keptToken(folder);
    expect(token).not.toBe(text);
    expect([readFileSync(target, 'utf8'), modeOf(target)]).toEqual([text, 0o644]);
    expect(modeOf(join(folder, 'control-token'))).toBe(0o600);
    expect(keptToken(folder)).toBe(token);
  },
);
