/** The thread in which long files are read and planned (`open-file.service.ts`). It is a program and is not imported. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import {
  openHere,
  type PlanTask,
  type ThreadAnswer,
  type ThreadStart,
} from '#src/features/roster-imports/open-file.service.ts';
import { isProblem } from '#src/shared/problem.ts';

if (parentPort === null) throw new Error('This program is a thread.');
const port = parentPort;

async function answer(work: Promise<unknown>): Promise<void> {
  const message: ThreadAnswer = await work.then(
    (done) => ({ done }),
    (error: unknown) => {
      if (!isProblem(error)) throw error;
      return { refused: { code: error.code, message: error.message, details: error.details } };
    },
  );
  port.postMessage(message);
}

const { source, query } = workerData as ThreadStart;
const opening = openHere(source, query);
await answer(opening.then(({ columns, asks, notices, wanted }) => ({ columns, asks, notices, wanted })));
const { plan } = await opening;
for await (const [task] of on(port, 'message') as AsyncIterable<[PlanTask]>) await answer(plan(task));
