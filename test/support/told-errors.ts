/** The internal errors that started processes report on their standard error. */
import type { Readable } from 'node:stream';
import { internalError } from '../../emulator/control/server/own-errors.ts';

const faulty = new Set<{ text: string }>();

/** Reads the output of a process that a test started. After an internal error in it, the test that ends next fails. */
export function hearErrors(stderr: Readable): void {
  const said = { text: '' };
  stderr.on('data', (chunk: Buffer | string) => {
    said.text += String(chunk);
    if (said.text.includes(internalError)) faulty.add(said);
  });
}

/** @throws Error with what the processes printed; each error is reported once */
export function expectNoneTold(): void {
  const texts = [...faulty].map(({ text }) => text);
  for (const said of faulty) said.text = '';
  faulty.clear();
  if (texts.length > 0) throw new Error(`A process that a test started had an internal error: ${texts.join('\n')}`);
}
