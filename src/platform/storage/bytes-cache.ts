/**
 * Bytes that never change (renditions under content-hashed keys) cached in memory, limited by their size; the least
 * recently used are dropped first (speed P7). Callers that miss the same key at the same time share one load.
 */
import { LRUCache } from 'lru-cache';

/** What an entry costs besides its bytes: key, map slot, buffer object. */
const ENTRY_OVERHEAD_BYTES = 256;

/** One entry may take up to an eighth of `maxBytes`; larger ones pass through. */
export function createBytesCache({ maxBytes }: { maxBytes: number }) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 8),
    sizeCalculation: (value, key) => value.byteLength + key.length + ENTRY_OVERHEAD_BYTES,
  });
  // Not `fetchMethod`: it throws if a key is dropped while its load finds nothing (decision record 0044).
  const loading = new Map<string, Promise<Buffer | null>>();

  async function loadOnce(key: string, load: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const flight = load();
    loading.set(key, flight);
    try {
      const value = await flight;
      // Dropped meanwhile: returned to the callers, but not cached.
      if (value !== null && loading.get(key) === flight) cache.set(key, value);
      return value;
    } finally {
      if (loading.get(key) === flight) loading.delete(key);
    }
  }

  function forget(key: string): void {
    cache.delete(key);
    loading.delete(key);
  }

  return {
    /** The bytes of a key, from memory or by `load`. Null and failures of `load` are returned but not cached. */
    get(key: string, load: () => Promise<Buffer | null>) {
      const value = cache.get(key);
      return value ? Promise.resolve(value) : (loading.get(key) ?? loadOnce(key, load));
    },
    forget,
    /** Drops every key with this prefix. */
    forgetAll(prefix: string) {
      for (const key of [...cache.keys(), ...loading.keys()]) if (key.startsWith(prefix)) forget(key);
    },
  };
}
