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

/** How an act is reported. */
export interface Report {
  say(says: string, undo?: Toast['undo'], options?: Partial<Pick<Toast, 'refused' | 'more'>>): void;
  /** Says why something was not done. */
  refuse(says: string): void;
}

/** Seconds in which a text is read; of a long one only the first lines are shown. */
const toReadingTime = (text: string): number => Math.ceil(Math.min(text.length, 300) / 15);

/** One sentence at a time about what was done, with its undo. */
export const useToasts = defineStore('toasts', () => {
  const toast = shallowRef<Toast | null>(null);
  /** Those of acts that were answered late, until the one of a newer act is closed. */
  const waiting: Toast[] = [];
  let [begun, shown] = [0, 0];

  /** For an act that begins now and is answered later: its toast does not replace that of an act that began after it. */
  function begin(): Report {
    const own = (begun += 1);
    const say: Report['say'] = (says, undo = null, { refused = false, more = null } = {}) => {
      const seconds = Math.max(undo || more || refused ? 8 : 3, toReadingTime(says));
      const said: Toast = { says, undo, seconds, refused, more };
      if (toast.value && own < shown) return void waiting.push(said);
      [toast.value, shown] = [said, own];
    };
    return { say, refuse: (says) => say(says, null, { refused: true }) };
  }

  return {
    toast,
    begin,
    say: (...said: Parameters<Report['say']>) => begin().say(...said),
    refuse: (says: string) => begin().refuse(says),
    close: () => (toast.value = waiting.shift() ?? null),
  };
});
