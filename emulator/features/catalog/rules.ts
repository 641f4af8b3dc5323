/** The rules for requests by hand about uploaded files and saved products. */
import { inPath, ownRule, toRefusal, type Refusal } from '../../rules.ts';

export const catalogFileRules = {
  stopped: ownRule<{ readonly id: string }>({
    id: 'uploads.stopped',
    status: 409,
    says: 'The records are not replaced while one of their files is read.',
    message: ({ id }) =>
      `The file of upload ${id} was being read when all records were replaced or the emulator ended.`,
    fix: 'Ask again if the upload still exists.',
  }),
  notFixed: ownRule<{ readonly uploadId: string; readonly reason: string }>({
    id: 'uploads.not-fixed',
    status: 409,
    says: 'A file can be fixed mechanically only if its lines and its size are not too large.',
    message: ({ uploadId, reason }) => `The file of upload ${uploadId} cannot be fixed mechanically. ${reason}`,
    fix: 'Make the file smaller, and send it again.',
  }),
  saveFailed: ownRule<{ readonly uploadId: string; readonly reason: string }>({
    id: 'uploads.save-failed',
    status: 409,
    says: 'A save that is tried again by hand succeeds, or says why it did not.',
    message: ({ reason }) => `The catalog could not be saved this time either: ${reason}`,
    fix: 'Remove the reason, then save it again.',
  }),
  damaged: ownRule<{ readonly what: string }>({
    id: 'catalog.damaged',
    status: 409,
    says: 'The saved products are read from complete files.',
    message: ({ what }) =>
      `The saved products cannot be read: ${what} is not complete. Restore a snapshot, or reset the data and upload the catalog again.`,
    fix: 'Restore a snapshot, or reset the data and upload the catalog again.',
  }),
} as const;

/** The refusal of reading the saved products. @param what the file or folder that is not complete */
export function damaged(what: string): Refusal {
  return toRefusal(catalogFileRules.damaged, inPath(''), undefined, { what });
}
