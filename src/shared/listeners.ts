/** Who is told about something: `tell` calls everyone who watches; `watch` returns a function that stops it. */
export function createListeners<Told extends unknown[] = []>() {
  const listeners = new Set<(...told: Told) => unknown>();
  return {
    tell: (...told: Told) => listeners.forEach((listener) => listener(...told)),
    watch: (listener: (...told: Told) => unknown) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
