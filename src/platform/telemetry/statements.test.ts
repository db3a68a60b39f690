import { expect, test } from 'vitest';
import { observed, shownText, watchSlowStatements } from './statements.ts';
import { within } from './work.ts';

test('the text of a statement is one line, without the one value that is sent in a text', () => {
  expect(shownText("set local app.organization_ids = '12,13'")).toBe("set local app.organization_ids = '…'");
  expect(shownText('select a\n    from b\n   where c = $1')).toBe('select a from b where c = $1');
  expect(shownText(`select '${'x'.repeat(5_000)}'`)).toHaveLength(1_001);
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
