import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

export interface Toast {
  /** A verb in the past, as a sentence. */
  readonly says: string;
  readonly undo: (() => Promise<unknown> | void) | null;
  /** Where there is more about it. */
  readonly more: { readonly says: string; readonly act: () => unknown } | null;
  readonly seconds: number;
  /** What was done was refused: it is not marked as a success. */
  readonly refused: boolean;
}

/** One sentence at a time about what was done, with its undo. */
export const useToasts = defineStore('toasts', () => {
  const toast = shallowRef<Toast | null>(null);

  function say(says: string, undo: Toast['undo'] = null, { refused = false, more = null as Toast['more'] } = {}): void {
    toast.value = { says, undo, seconds: undo || more || refused ? 8 : 3, refused, more };
  }

  /** Says why something was not done. */
  const refuse = (says: string): void => say(says, null, { refused: true });

  return { toast, say, refuse, close: () => (toast.value = null) };
});
