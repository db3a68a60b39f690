/** One thing that must be true of the rows, as a question for the rows that break it. */
import type { RawBuilder } from 'kysely';

export type Violation = { detail: string };
export type Invariant = { name: string; rule: string; broken: RawBuilder<Violation> };
