import { expect, test } from 'vitest';
import type { FromChild, ToChild } from './messages.ts';
import { exchangeMetrics, NO_OTHER_PROCESSES, passMetricsOn } from './metrics-exchange.ts';

/** A supervisor and its children, whose messages arrive immediately. */
function family(names: readonly string[]) {
  type Member = { receive: (message: ToChild) => void; metrics: ReturnType<typeof exchangeMetrics> };
  const children = new Map<string, Member>();
  const supervisor = passMetricsOn((name) =>
    [...children].flatMap(([other, { receive }]) => (other === name ? [] : [receive])),
  );
  for (const name of names) {
    const send = (message: FromChild) => void supervisor.receive(message, name, (answer) => metrics.receive(answer));
    const metrics = exchangeMetrics(send);
    metrics.setSource(async () => `of ${name}`);
    children.set(name, { metrics, receive: (message) => metrics.receive(message) });
  }
  return children;
}

test('each process gets the metrics of all others of its supervisor', async () => {
  const children = family(['web 1', 'web 2', 'worker']);
  expect(await children.get('web 2')?.metrics.ofOthers()).toEqual(['of web 1', 'of worker']);
  expect(await children.get('worker')?.metrics.ofOthers()).toEqual(['of web 1', 'of web 2']);
  expect(await NO_OTHER_PROCESSES.ofOthers()).toEqual([]);
});

test('one that does not answer within a second is left out', async () => {
  const children = family(['web 1', 'web 2', 'worker']);
  children.get('worker')?.metrics.setSource(() => new Promise(() => undefined));
  expect(await children.get('web 1')?.metrics.ofOthers()).toEqual(['of web 2']);
});
