/** Who is told about something: `tell` calls everyone who watches; `watch` returns a function that stops it. */
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
