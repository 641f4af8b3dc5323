/** What reading a file gives; null if there is none. */
export async function orNull<R>(reading: Promise<R>): Promise<R | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
