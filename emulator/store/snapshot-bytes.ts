/** The largest snapshot in bytes, including imported ones. */
export const snapshotBytes = 256 * 1024 * 1024;
