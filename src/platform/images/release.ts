/**
 * Gives the memory of a buffer that no one needs any more back at once, unless it is shared with others. Pictures go through
 * in megabytes: left to the collector, they have it look through the whole heap for nearly every photo
 * (docs/decisions/0057-ingest.md).
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
