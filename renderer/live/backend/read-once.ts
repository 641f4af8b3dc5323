/** Reads once what never changes while the server runs; again only if that failed. */
export function readOnce<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null;
  return () =>
    (asked ??= read().catch((error: unknown) => {
      asked = null;
      throw error;
    }));
}
