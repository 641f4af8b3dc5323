import { ControlError, call } from '../../live/backend/control.ts';

/** Takes back a fault that was just set. One that is gone already needs no taking back. */
export async function undoServerFault(id: string): Promise<void> {
  try {
    await call('DELETE /control/faults/{id}', { params: { id } });
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}
