/** Where the product runs as root (often in a container), what decodes the bytes of strangers does not. */
import { flushCompileCache } from 'node:module';

/** Not 65534 (`nobody`): the database may run as that. */
const OF_NOBODY = 65_533;

/**
 * For good: no way leads back. Called by a program itself, after its imports: its code may lie where only root reads. Where
 * root has no right to change (a container that took it away), the program goes on as it is.
 */
export function dropRootRights(): void {
  if (process.getuid?.() !== 0) return;
  // Node writes the cache of compiled code at the end, when this process may no longer.
  flushCompileCache();
  const steps = [() => process.setgroups?.([]), () => process.setgid?.(OF_NOBODY), () => process.setuid?.(OF_NOBODY)];
  for (const step of steps) {
    try {
      step();
    } catch {
      // Not allowed here.
    }
  }
}
