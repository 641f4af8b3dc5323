import type { MoverView } from '../../../emulator/control/calls.ts';

/** `save_failed` → `save failed`. */
export function toStateWords(state: string): string {
  return state.replaceAll('_', ' ');
}

/** `fileReceived` → `file received`. */
export function toEventWords(event: string): string {
  return event.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `Save the catalog` where the view names its moves, else `Save`. */
export function toVerb(event: string, labels: { readonly [event: string]: string }): string {
  const words = labels[event] ?? toEventWords(event);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** How a record was moved. */
export const moverWords: { readonly [by in MoverView]: string } = {
  call: 'by a call',
  clock: 'by the clock',
  hand: 'by hand',
  work: 'by itself',
};

/** How a record can be moved. */
export const doerWords: { readonly [by in MoverView]: string } = {
  call: 'a call does it',
  clock: 'the clock does it',
  hand: 'you do it',
  work: 'it happens by itself',
};
