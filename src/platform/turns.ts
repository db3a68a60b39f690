/** Long work of a web process in short turns, so that no other request waits for all of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Long enough that some tens of milliseconds of work end few turns: between two of them a transaction may be idle as
 * long as all other requests take, and the database ends one that is idle for 30 seconds.
 */
const TURN_MS = 3;

/** A function to await between two steps: it lets others work once the turn has lasted `TURN_MS`. */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}

/** Takes steps to their end; returns what they return. */
export async function takeTurns<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  const turn = createTurns();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await turn();
  }
}

export async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const turn = createTurns();
  const done: Result[] = [];
  for (const item of items) {
    done.push(work(item));
    await turn();
  }
  return done;
}
