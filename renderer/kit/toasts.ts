import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

export interface Toast {
  /** A sentence with a verb in the past tense. */
  readonly says: string;
  readonly undo: (() => Promise<unknown> | void) | null;
  /** A way to more information, if there is any. */
  readonly more: { readonly says: string; readonly act: () => unknown } | null;
  readonly seconds: number;
  /** Whether the action was refused: then it is not marked as a success. */
  readonly refused: boolean;
}

/** Reports the result of an action. */
export interface Report {
  say(says: string, undo?: Toast['undo'], options?: Partial<Pick<Toast, 'refused' | 'more'>>): void;
  /** Reports why something was not done. */
  refuse(says: string): void;
}

/** Seconds to read a text. Only the first lines of a long text are shown, so they count alone. */
const toReadingTime = (text: string): number => Math.ceil(Math.min(text.length, 300) / 15);

/** Shows one sentence at a time about an action, with its undo. */
export const useToasts = defineStore('toasts', () => {
  const toast = shallowRef<Toast | null>(null);
  /** Toasts of actions that were answered late. They wait until the toast of a newer action is closed. */
  const waiting: Toast[] = [];
  let [begun, shown] = [0, 0];

  /** Begins a report for an action that is answered later. It cannot replace the toast of an action begun after it. */
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
