import type { ShallowRef } from 'vue';
import type { SettingsView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { readOnce } from './backend/read-once.ts';
import { useReading } from './reading.ts';

const readLimits = readOnce(async () => (await call('GET /control/settings')).limits);

/** The limits of what the server accepts and keeps; null until they are read. */
export function useLimits(): ShallowRef<SettingsView['limits'] | null> {
  return useReading({ read: readLimits, concerns: null }).answer;
}
