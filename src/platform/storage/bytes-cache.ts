/**
 * Bytes that never change (renditions under content-hashed keys) kept in memory, bounded by
 * their size; the longest unused go first (goal P7 of design/speed). Callers that miss the
 * same key at once share one load.
 */
export type BytesCache = {
  /** The bytes of a key, from memory or by `load`; null and failures of `load` are answered but not kept. */
  get(key: string, load: () => Promise<Buffer | null>): Promise<Buffer | null>;
  forget(key: string): void;
  /** Forgets every key that begins so. */
  forgetAll(prefix: string): void;
  load(): { entries: number; bytes: number; hits: number; misses: number };
};

/** What an entry costs beside its bytes: key, map slot, buffer object. */
const ENTRY_OVERHEAD_BYTES = 256;

/** One entry may take up to an eighth of `maxBytes`; larger ones pass through. */
export function createBytesCache(options: { maxBytes: number }): BytesCache {
  const { maxBytes } = options;
  /** In order of use, the longest unused first. */
  const kept = new Map<string, Buffer>();
  const loading = new Map<string, Promise<Buffer | null>>();
  let bytes = 0;
  let hits = 0;
  let misses = 0;

  const costOf = (key: string, value: Buffer): number => value.byteLength + key.length + ENTRY_OVERHEAD_BYTES;

  function forget(key: string): void {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    bytes -= costOf(key, value);
  }

  function keep(key: string, value: Buffer): void {
    const cost = costOf(key, value);
    if (cost > maxBytes / 8) return;
    forget(key);
    kept.set(key, value);
    bytes += cost;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) return;
      forget(oldest);
    }
  }

  async function loadOnce(key: string, load: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const flight = load();
    loading.set(key, flight);
    try {
      const value = await flight;
      // Forgotten meanwhile: answered to those who asked, but not kept.
      if (value !== null && loading.get(key) === flight) keep(key, value);
      return value;
    } finally {
      if (loading.get(key) === flight) loading.delete(key);
    }
  }

  return {
    get(key, load) {
      const value = kept.get(key);
      if (value !== undefined) {
        hits++;
        kept.delete(key);
        kept.set(key, value);
        return Promise.resolve(value);
      }
      misses++;
      return loading.get(key) ?? loadOnce(key, load);
    },
    forget(key) {
      forget(key);
      loading.delete(key);
    },
    forgetAll(prefix) {
      for (const key of [...kept.keys(), ...loading.keys()]) {
        if (!key.startsWith(prefix)) continue;
        forget(key);
        loading.delete(key);
      }
    },
    load: () => ({ entries: kept.size, bytes, hits, misses }),
  };
}
