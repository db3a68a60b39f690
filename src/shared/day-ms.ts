/** Milliseconds in 24 hours. A day of a time zone may have 23 or 25: for those see `dates.ts`. */
export const DAY_MS = 86_400_000;
