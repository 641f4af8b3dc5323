import { ControlError, control } from '../../live/backend/control.ts';

/** Takes back a fault that was just set. One that is gone already needs no taking back. */
export async function undoServerFault(id: string): Promise<void> {
  try {
    await control('DELETE', `faults/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}
