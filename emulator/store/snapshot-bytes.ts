/** Bytes of one snapshot, also of one that is imported. */
export const snapshotBytes = 256 * 1024 * 1024;
