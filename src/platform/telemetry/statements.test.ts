import { expect, test } from 'vitest';
import { asPrepared } from '#src/platform/db/prepared.ts';
import { observed, shownText, watchSlowStatements } from './statements.ts';
import { within, type Span } from './work.ts';

test('the text of a statement is one line, without the one value that is sent in a text', () => {
  expect(shownText("set local app.organization_ids = '12,13'")).toBe("set local app.organization_ids = '…'");
  expect(shownText('select a\n    from b\n   where c = $1')).toBe('select a from b where c = $1');
  expect(shownText(`select '${'x'.repeat(5_000)}'`)).toHaveLength(1_001);
  expect(shownText(asPrepared(' insert into a'))).toBe('insert into a');
});

test('the span of a statement is named by its verb, prepared or not', async () => {
  const names: string[] = [];
  const child = (name: string) => {
    names.push(name);
    return span;
  };
  const nothing = () => undefined;
  const span: Span = { traceparent: '', child, rename: nothing, note: nothing, fail: nothing, end: nothing };
  await within({ requestId: 'abcdefgh', name: 'test', span }, async () => {
    for (const text of ['select 1', asPrepared('\n  insert into a'), asPrepared('(select 1)')])
      await observed(text, null, async () => undefined);
  });
  expect(names).toEqual(['postgresql select', 'postgresql insert', 'postgresql select']);
});

test('slow statements are counted each time and logged now and then, with the request that caused them', async () => {
  const logged: object[] = [];
  const counted: string[] = [];
  const observe = watchSlowStatements(
    100,
    { warn: (details) => void logged.push(details) },
    (work) => void counted.push(work),
  );
  const work = { requestId: 'abcdefgh', name: '/api/v1/galleries/:id', span: null };
  within(work, () => {
    observe({ text: 'select 1', ms: 99 });
    observe({ text: 'select 1', ms: 100.4 });
    observe({ text: 'select  1', ms: 300 });
    observe({ text: 'select 2', ms: 100 });
  });
  observe({ text: 'select 3', ms: 100 });
  expect(logged).toEqual([
    { ms: 100, work: work.name, statement: 'select 1' },
    { ms: 100, work: work.name, statement: 'select 2' },
    { ms: 100, work: 'none', statement: 'select 3' },
  ]);
  expect(counted).toEqual([work.name, work.name, work.name, 'none']);
});

test('a statement that fails is reported, too', async () => {
  const told: number[] = [];
  const fails = observed(
    'select 1',
    ({ ms }) => void told.push(ms),
    () => Promise.reject(new Error('no')),
  );
  await expect(fails).rejects.toThrow('no');
  expect(told).toEqual([expect.any(Number)]);
});
