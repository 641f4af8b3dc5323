import { computed, type WritableComputedRef } from 'vue';
import type { LimitsView } from '../../emulator/control/calls.ts';
import type { Reported } from '../live/reported.ts';

const modes = { Off: 'off', Real: 'real' } as const;
type Word = keyof typeof modes;

/** The choices of the switch for rate limits. */
export const limitsWords: readonly Word[] = ['Off', 'Real'];

/** The value of the switch for rate limits. @param mode the current mode on the server */
export function useLimitsMode(
  { change }: Pick<Reported, 'change'>,
  mode: () => LimitsView['mode'],
): WritableComputedRef<Word> {
  return computed({
    get: () => (mode() === 'real' ? 'Real' : 'Off'),
    set(word) {
      const next = modes[word];
      if (next === mode()) return;
      const says = next === 'real' ? 'Rate limits switched on' : 'Rate limits switched off';
      void change(says, 'POST /control/limits', { body: { mode: next } });
    },
  });
}
