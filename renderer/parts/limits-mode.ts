import { computed, type WritableComputedRef } from 'vue';
import type { LimitsView } from '../../emulator/control/calls.ts';
import type { Reported } from '../live/reported.ts';

const modes = { Off: 'off', Real: 'real' } as const;
type Word = keyof typeof modes;

/** What the switch of the rate limits offers. */
export const limitsWords: readonly Word[] = ['Off', 'Real'];

/** The switch of the rate limits. @param mode as the server has it */
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
