/** Starts something at the first call, and never twice; after a failure the next call tries again. */
export function startOnce<Started>(start: () => Promise<Started>): () => Promise<Started> {
  let started: Promise<Started> | null = null;
  return () => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };
}
