import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's HTML, which is reused unchanged; then the answer of `ask`. */
export const useInBrowser = (ask: () => boolean = () => true): boolean => useSyncExternalStore(never, ask, () => false);
