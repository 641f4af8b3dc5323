/** Reads data that depends only on the version of the server, once. After a failure, the next call reads again. */
export function readOnce<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null;
  return () =>
    (asked ??= read().catch((error: unknown) => {
      asked = null;
      throw error;
    }));
}
