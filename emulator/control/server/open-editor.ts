import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import paths, { parse, resolve } from 'node:path';
import { reasonOf } from '../../errors.ts';
import { inPath, refuse } from '../../rules.ts';
import type { Reply } from '../calls.ts';
import { editorRules } from '../rules/file-rules.ts';

/** The editor, file and line that were opened. */
type Opened = Reply<'POST /control/requests/{id}/editor'>;

/** The path names the request whose place is opened. */
const at = inPath('id');

/** Editors that need a terminal, which a server does not have. */
const inTerminal = ['vi', 'vim', 'nvim', 'nano', 'pico', 'micro', 'joe', 'mcedit'];

/**
 * Opens a place of a program in the user's editor (docs/security.md, The editor). The place comes from a request
 * header, so any sender may have written it: only an existing file below the folder is opened, as one argument and
 * without a shell.
 * @param place `shop.ts:42:9`, relative to the folder or absolute
 * @param folder where Sandpiper was started; null if that says nothing about the developer's program
 * @throws Refusal if there is no such place, or no editor that can show it
 */
export async function openEditor(place: string | null, folder: string | null): Promise<Opened> {
  if (place === null) return refuse(editorRules.noPlace, at, null, undefined);
  if (folder === null) return refuse(editorRules.noFolder, at, place, undefined);
  const [, path = '', row = '', column = ''] = /^(.+):(\d{1,7}):(\d{1,7})$/s.exec(place) ?? [];
  if (path === '' || path.includes('\0')) return refuse(editorRules.form, at, place, undefined);
  const top = await realpath(folder);
  const file = isElsewhere(folder, path) ? null : await realpath(resolve(folder, path)).catch(() => null);
  // Links are resolved first, so that none leads outside.
  if (file === null || !isBelow(top, file) || !(await stat(file)).isFile())
    return refuse(editorRules.outside, at, place, { folder: top });
  const { editor, args } = await findEditor(file, Number(row), Number(column));
  const child = spawn(editor, args, { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
  } catch (error) {
    return refuse(editorRules.failed, at, place, { editor, problem: reasonOf(error) });
  }
  // The editor keeps running when Sandpiper ends.
  child.unref();
  return { editor, file, line: Number(row) };
}

/**
 * Whether a Windows path leads to another machine, outside the folder. Just looking for a file there sends that machine
 * the name of the user and a proof of the password.
 */
export function isElsewhere(folder: string, path: string, system = paths): boolean {
  const file = system.resolve(folder, path);
  return file.startsWith('\\\\') && !isBelow(folder, file, system);
}

function isBelow(folder: string, file: string, { sep } = paths): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function findEditor(file: string, line: number, column: number) {
  const [{ default: guessEditor }, { default: toArguments }] = await Promise.all([
    import('launch-editor/guess.js'),
    import('launch-editor/get-args.js'),
  ]);
  const [editor, ...first] = guessEditor();
  if (!editor) return refuse(editorRules.none, at, file, undefined);
  const { name } = parse(editor);
  if (inTerminal.includes(name)) return refuse(editorRules.terminal, at, file, { editor: name });
  return { editor, args: [...first, ...toArguments(editor, file, line, column)] };
}
