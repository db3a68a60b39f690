/** The time, as an argument, so that tests can change it. What machines share uses the database's clock instead. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
