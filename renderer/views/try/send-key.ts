import { Prec, type Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';

/** In an editor too, Ctrl+Enter sends instead of starting a line. */
export function sendKey(send: () => void): Extension {
  const run = (): boolean => {
    send();
    return true;
  };
  return Prec.highest(keymap.of([{ key: 'Mod-Enter', run }]));
}
