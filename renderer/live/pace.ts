import { defineStore } from 'pinia';
import type { PaceView } from '../../emulator/control/calls.ts';
import { toFailure, useServerUndo } from './reported.ts';
import { useConnection } from './connection.ts';
import { useToasts } from '../kit/toasts.ts';

/** The paces, each with its meaning. */
export const paces = [
  { name: 'instant', title: 'Instant', says: 'Uploads, offers and privacy requests move on at once' },
  { name: 'realistic', title: 'Realistic', says: 'They move on after short delays, on the clock' },
  { name: 'manual', title: 'Manual', says: 'They wait until you press a button in their diagrams' },
] as const;

/** The pace at which states move by themselves. */
export const usePace = defineStore('pace', () => {
  const connection = useConnection();
  const toasts = useToasts();

  async function choose(to: PaceView['pace']): Promise<void> {
    const before = connection.clock?.pace ?? to;
    if (before === to) return;
    const report = toasts.begin();
    try {
      const server = useServerUndo(connection.readClockAgain);
      const { pace } = await server.call('POST /control/pace', { body: { pace: to } });
      await connection.readClockAgain();
      report.say(`The pace is ${pace} now`, server.undo);
    } catch (error) {
      report.refuse(toFailure(`The pace stays ${before}:`, error));
    }
  }

  return { choose };
});
