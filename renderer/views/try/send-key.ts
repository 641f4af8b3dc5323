import { Prec, type Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';

/** Makes Ctrl+Enter send the request in an editor too, instead of starting a line. */
export function sendKey(send: () => void): Extension {
  const run = (): boolean => {
    send();
    return true;
  };
  return Prec.highest(keymap.of([{ key: 'Mod-Enter', run }]));
}
