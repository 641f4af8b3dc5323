import { shallowRef, type ShallowRef } from 'vue';
import type { MachineView, MachinesView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';

let asked: Promise<MachinesView> | null = null;

/** The states and moves of a kind of record (`uploads`): null until they are there. They never change while it runs. */
export function useMachine(kind: string): ShallowRef<MachineView | null> {
  const machine = shallowRef<MachineView | null>(null);
  asked ??= call('GET /control/machines');
  asked.then(
    ({ machines }) => (machine.value = machines.find((one) => one.kind === kind) ?? null),
    // The frame says that the connection is lost; the next view asks again.
    () => (asked = null),
  );
  return machine;
}
