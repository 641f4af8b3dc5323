import { shallowRef, type ShallowRef } from 'vue';
import type { MachineView, MachinesView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { useReading } from './reading.ts';

let known: MachinesView | null = null;

/** The states and moves of a kind of record (`uploads`): null until they are there. They never change while it runs. */
export function useMachine(kind: string): ShallowRef<MachineView | null> {
  const machine = shallowRef<MachineView | null>(null);
  useReading({
    read: async () => (known ??= await call('GET /control/machines')),
    show: ({ machines }) => (machine.value = machines.find((one) => one.kind === kind) ?? null),
  });
  return machine;
}
