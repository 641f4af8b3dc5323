import type { ShallowRef } from 'vue';
import type { MachineView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { readOnce } from './backend/read-once.ts';
import { useReading } from './reading.ts';

const readMachines = readOnce(() => call('GET /control/machines'));

/** The states and moves of a kind of record (`uploads`); null until they are read. */
export function useMachine(kind: string): ShallowRef<MachineView | null> {
  const read = async () => (await readMachines()).machines.find((one) => one.kind === kind) ?? null;
  return useReading({ read, concerns: null }).answer;
}
