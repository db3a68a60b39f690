/**
 * With one supervisor a single `GET /metrics` reports all processes: connections go to the web processes in turn, and
 * the worker has no port. The process that was asked has the supervisor ask the others.
 */
import type { FromChild, ToChild } from '#src/platform/processes/messages.ts';

/** A process that is busy or starting is left out after the first; the second is for what the supervisor collected. */
const ANSWER_MS = 1_000;
const GATHER_MS = 2_000;

/** Promises that wait for an answer with their number, null if it does not come in time. */
function waitingRoom<T>(patienceMs: number) {
  const waiting = new Map<number, (answer: T | null) => void>();
  let last = 0;
  return {
    ask(send: (id: number) => void): Promise<T | null> {
      const id = ++last;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(id, null), patienceMs);
        waiting.set(id, (answer) => (clearTimeout(timer), resolve(answer)));
        send(id);
      });
    },
    settle,
  };

  function settle(id: number, answer: T | null): void {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  }
}

type Tell = (message: ToChild) => void;

/** The supervisor's part. `others` sends to all children but one. */
export function passMetricsOn(othersOf: (child: string) => readonly Tell[]) {
  const room = waitingRoom<string>(ANSWER_MS);
  return {
    /** A message of the child with that name. */
    async heard(message: FromChild, child: string, tell: Tell): Promise<void> {
      if (message.type === 'metrics') room.settle(message.id, message.text);
      if (message.type !== 'ask metrics') return;
      const asked = othersOf(child).map((tellOther) => room.ask((id) => tellOther({ type: 'tell metrics', id })));
      const texts = (await Promise.all(asked)).filter((text) => text !== null);
      tell({ type: 'metrics of others', id: message.id, texts });
    },
  };
}

export type MetricsExchange = {
  /** The metrics of this process. */
  tellsOf(read: () => Promise<string>): void;
  /** The metrics of the other processes of the same supervisor. */
  ofOthers(): Promise<string[]>;
};

/** A process without a supervisor has no others. */
export const NO_OTHER_PROCESSES: MetricsExchange = { tellsOf: () => undefined, ofOthers: async () => [] };

/** A child's part; messages of the supervisor go to `heard`. */
export function exchangeMetrics(say: (message: FromChild) => void) {
  const room = waitingRoom<string[]>(GATHER_MS);
  let read: () => Promise<string> = async () => '';
  return {
    heard(message: ToChild): void {
      if (message.type === 'metrics of others') room.settle(message.id, message.texts);
      if (message.type === 'tell metrics')
        void read().then(
          (text) => say({ type: 'metrics', id: message.id, text }),
          () => undefined,
        );
    },
    tellsOf: (own: () => Promise<string>) => void (read = own),
    ofOthers: async () => (await room.ask((id) => say({ type: 'ask metrics', id }))) ?? [],
  };
}
