/**
 * Cards of one sender go to the provider a few at a time, so that declines are counted before the next card is tried: a
 * list of stolen cards sent all at once is no way around the limit (threat 37). Counted in the process.
 */

/** More than the tills of a gym at half-time need together. */
export const CARDS_AT_A_TIME = 8;
/** A provider who is slow must not hold up a whole school behind one address. */
const LONGEST_WAIT_MS = 5_000;

type Sender = { busy: number; waiting: Set<() => void> };
const senders = new Map<string, Sender>();

function turnOf(sender: Sender): Promise<void> {
  return new Promise((resolve) => {
    const handedOver = () => {
      clearTimeout(tired);
      resolve();
    };
    const tired = setTimeout(() => {
      sender.waiting.delete(handedOver);
      sender.busy += 1;
      resolve();
    }, LONGEST_WAIT_MS);
    sender.waiting.add(handedOver);
  });
}

function endTurn(ip: string, sender: Sender): void {
  const [next] = sender.waiting;
  if (next) {
    // The place goes from hand to hand, so that nobody slips in between.
    sender.waiting.delete(next);
    next();
    return;
  }
  sender.busy -= 1;
  if (sender.busy === 0) senders.delete(ip);
}

/** Does the work when it is the sender's turn; after five seconds of waiting in any case. */
export async function inTurn<T>(ip: string, work: () => Promise<T>): Promise<T> {
  const sender = senders.get(ip) ?? { busy: 0, waiting: new Set() };
  senders.set(ip, sender);
  if (sender.busy < CARDS_AT_A_TIME) sender.busy += 1;
  else await turnOf(sender);
  try {
    return await work();
  } finally {
    endTurn(ip, sender);
  }
}
