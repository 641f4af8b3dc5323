/** Reads once what depends only on the version of the server; again only if that failed. */
export function readOnce<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null;
  return () =>
    (asked ??= read().catch((error: unknown) => {
      asked = null;
      throw error;
    }));
}
