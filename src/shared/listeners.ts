/** Listeners of an event: `emit` calls them all; `watch` adds one and returns a function that removes it. */
export function createListeners<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => unknown>();
  return {
    emit: (...args: Args) => listeners.forEach((listener) => listener(...args)),
    watch: (listener: (...args: Args) => unknown) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
