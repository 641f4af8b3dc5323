import { ipcMain, shell, type IpcMainInvokeEvent } from 'electron';
import { join } from 'node:path';
import type { HostCalls, HostNotice } from './host-channels.ts';
import { isOf, type Ours } from './protection.ts';
import type { Server } from './server.ts';
import { record, text, type Shape } from './shape.ts';

const isNotice = record<HostNotice>({ title: text(200), body: text(2_000), route: text(500, /^\/[\w\-/?=.:%]*$/) });
const isNothing = (input: readonly unknown[]): input is [] => input.length === 0;

/** Handles the page's calls: each checks its sender and its arguments (docs/security.md, The desktop window). */
export function answerHostCalls({
  server,
  ours,
  notify,
}: {
  readonly server: Server;
  readonly ours: Ours;
  readonly notify: (notice: HostNotice) => boolean;
}): void {
  answer('host:show-data-file', isNothing, ours, () => showDataFile(server));
  answer('host:notify', isOnly(isNotice), ours, notify);
  answer('host:restart-server', isNothing, ours, () => server.restart());
}

/** @returns false if everything is in memory */
export function showDataFile(server: Server): boolean {
  const dataDir = server.addresses()?.dataDir ?? null;
  if (dataDir === null) return false;
  shell.showItemInFolder(join(dataDir, 'state.json'));
  return true;
}

function answer<Name extends keyof HostCalls>(
  name: Name,
  isMeant: (input: readonly unknown[]) => input is Parameters<HostCalls[Name]>,
  ours: Ours,
  act: (...input: Parameters<HostCalls[Name]>) => ReturnType<HostCalls[Name]>,
): void {
  ipcMain.handle(name, (event, ...input: readonly unknown[]) => {
    if (!isOurPage(event, ours)) throw new Error(`This page may not call ${name}.`);
    if (!isMeant(input)) throw new Error(`${name} does not accept these arguments.`);
    return act(...input);
  });
}

/**
 * Whether the sender is the top frame of the inspector's origin; false for frames inside it, and for destroyed ones.
 */
function isOurPage({ senderFrame }: IpcMainInvokeEvent, ours: Ours): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOf(ours.inspector(), senderFrame.url);
}

function isOnly<T>(shape: Shape<T>): (input: readonly unknown[]) => input is [T] {
  return (input): input is [T] => input.length === 1 && shape(input[0]);
}
