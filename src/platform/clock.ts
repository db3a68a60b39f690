/** The time, as an argument, so that tests can move it. What is shared between machines uses the database's clock instead. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
