/** Long work of a web process in short turns, so that no other request waits for all of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 1;

/** A function to await between two steps: it lets others work once the turn has lasted a millisecond. */
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
