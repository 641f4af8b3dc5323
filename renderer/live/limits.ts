import { shallowRef, type ShallowRef } from 'vue';
import type { SettingsView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { useReading } from './reading.ts';

type Limits = SettingsView['limits'];
let known: Limits | null = null;

/** How much the server takes and keeps: null until that is there. It never changes while it runs. */
export function useLimits(): ShallowRef<Limits | null> {
  const limits = shallowRef(known);
  useReading({
    read: async () => (known ??= (await call('GET /control/settings')).limits),
    show: (read) => (limits.value = read),
  });
  return limits;
}
