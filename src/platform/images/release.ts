/**
 * Frees the memory of an unused buffer immediately, unless it is shared. Pictures use megabytes: left to the garbage
 * collector, they make it scan the whole heap for nearly every photo (docs/decisions/0057-ingest.md).
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
