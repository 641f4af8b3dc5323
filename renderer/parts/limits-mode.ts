import { computed, type WritableComputedRef } from 'vue';
import type { LimitsView } from '../../emulator/control/calls.ts';
import { useServerUndo, type Reported } from '../live/reported.ts';

const modes = { Off: 'off', Real: 'real' } as const;
type Word = keyof typeof modes;

/** What the switch of the rate limits offers. */
export const limitsWords: readonly Word[] = ['Off', 'Real'];

/** The switch of the rate limits. @param mode as the server has it */
export function useLimitsMode(
  { run }: Pick<Reported, 'run'>,
  mode: () => LimitsView['mode'],
): WritableComputedRef<Word> {
  return computed({
    get: () => (mode() === 'real' ? 'Real' : 'Off'),
    set(word) {
      const next = modes[word];
      if (next === mode()) return;
      const server = useServerUndo();
      const post = () => server.call('POST /control/limits', { body: { mode: next } });
      void run(next === 'real' ? 'Rate limits switched on' : 'Rate limits switched off', post, { undo: server.undo });
    },
  });
}
