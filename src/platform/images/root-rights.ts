/** If the product runs as root (often in a container), the processes that decode bytes from strangers do not. */
import { flushCompileCache } from 'node:module';

/** Not 65534 (the user `no one`), because the database may run as that. */
const OF_NOBODY = 65_533;

/**
 * Cannot be undone. A program calls it after its imports, because its code may be readable by root only. In a container that
 * does not allow root to change its user, the program continues as it is.
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
