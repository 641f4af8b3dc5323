import { toUrlPath } from '../../../emulator/control/call.ts';
import type { StreamName } from '../../../emulator/control/calls.ts';
import { readFile } from './control.ts';

const name = 'GET /control/uploads/{id}/fixed' satisfies StreamName;

/**
 * A copy of the file of an upload in which all errors with a mechanical fix are fixed.
 * @throws ControlError with the server's sentence; TypeError if the server cannot be reached
 */
export const readFixedFile = (id: string): Promise<Blob> => readFile(toUrlPath(name, { params: { id } }));
