import { ControlError, call } from './backend/control.ts';

/** Removes a fault that was just set. A missing one does not need it. */
export async function undoServerFault(id: string): Promise<void> {
  try {
    await call('DELETE /control/faults/{id}', { params: { id } });
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}
