import {
  CalendarClock,
  ChartNoAxesGantt,
  FastForward,
  Gauge,
  History,
  Hourglass,
  Pause,
  Play,
  Timer,
} from 'lucide-vue-next';
import type { Action } from '../../commands/actions.ts';
import { keyTable } from '../../commands/keys.ts';
import { whyReadOnly } from '../../live/backend/moment.ts';
import { toReadable } from '../../format.ts';
import { useClock } from '../../live/clock.ts';
import { useNow } from '../../live/now.ts';
import { useZone } from '../../live/zone.ts';
import { steps } from './steps.ts';
import { toLength } from './tide.ts';

const hasKeys = (name: string): boolean => keyTable.some((row) => row.name === name);

/**
 * Returns the actions that the clock allows at the moment of the call, in every view.
 * @param advanceTo asks for the date to advance to
 */
export function useClockActions(advanceTo: () => void): () => readonly Action[] {
  const [clock, now, zone] = [useClock(), useNow(), useZone()];
  return () => {
    const [next] = clock.upcoming;
    const rewind = clock.view?.rewind;
    const whyOff = whyReadOnly.value;
    return [
      {
        name: 'clock.next',
        title: 'Advance the clock to the next due event',
        icon: Hourglass,
        hint: next ? `${next.says}, in ${toLength(Math.max(0, Date.parse(next.at) - now.virtual))}` : '',
        why: whyOff ?? (next ? null : 'no timer is waiting'),
        keys: 'clock.next',
        words: 'time skip',
        act: () => clock.advanceToNext(),
      },
      ...steps.map(({ length, words }) => ({
        name: `clock.${length}`,
        title: `Advance the clock by ${words}`,
        icon: FastForward,
        why: whyOff,
        words: `time ${length} minutes hours days`,
        ...(hasKeys(`clock.${length}`) ? { keys: `clock.${length}` } : {}),
        act: () => clock.advance(length, words),
      })),
      {
        name: 'clock.to',
        title: 'Advance the clock to a date…',
        icon: CalendarClock,
        why: whyOff,
        words: 'time set travel',
        keys: 'clock.to',
        act: advanceTo,
      },
      {
        name: 'clock.freeze',
        title: clock.isFrozen ? 'Unfreeze the clock' : 'Freeze the clock',
        icon: clock.isFrozen ? Play : Pause,
        why: whyOff,
        keys: 'clock.freeze',
        words: 'time stop pause',
        act: () => clock.freeze(!clock.isFrozen),
      },
      {
        name: 'clock.result',
        title: 'Read what happened in the last move of the clock',
        icon: ChartNoAxesGantt,
        keys: 'clock.result',
        words: 'timeline advance section',
        act: () => clock.readResult(),
      },
      {
        name: 'clock.rewind',
        title: 'Rewind the clock',
        icon: History,
        hint: rewind ? `before: ${toReadable(rewind.says, zone.zone)}` : '',
        why: whyOff ?? (rewind ? null : 'no move of time is among the last changes by hand'),
        words: 'time back undo',
        act: () => clock.rewind(),
      },
      {
        name: 'clock.real',
        title: 'Back to real time',
        icon: Timer,
        why: whyOff ?? (clock.isReal ? 'time is real' : null),
        words: 'clock reset now',
        act: () => clock.backToReal(),
      },
      ...[1, 10, 60, 600, 3600].map((rate) => ({
        name: `clock.x${rate}`,
        title: rate === 1 ? 'Let time pass as fast as real time' : `Let time pass ×${rate}`,
        icon: Gauge,
        why: whyOff,
        words: 'clock speed rate',
        act: () => clock.setRate(rate),
      })),
    ];
  };
}
