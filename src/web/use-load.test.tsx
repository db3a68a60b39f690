// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ApiResult } from '#src/web/api-client.ts';
import { useLoadedPages, useRepeated } from '#src/web/use-load.ts';
import { show } from '#tests/support/shown-screen.tsx';

type Page = { names: string[]; next: number | null };
const NOT_NOW: ApiResult<Page> = {
  ok: false,
  status: 500,
  error: 'Not now.',
  errors: {},
  body: {},
  retryAfterSeconds: null,
};
const answered = (data: Page): ApiResult<Page> => ({ ok: true, status: 200, data });

type NamesProps = { list?: string; load: (after: number | string | null) => Promise<ApiResult<Page>> };

function Names({ list = 'names', load }: NamesProps) {
  const { pages, problem, hasMore, more, refresh } = useLoadedPages<Page>(list, load);
  return (
    <>
      <p data-testid="names">{pages.flatMap(({ names }) => names).join(' ')}</p>
      <p role="alert">{problem}</p>
      {hasMore && <button onClick={more}>More</button>}
      <button onClick={refresh}>Refresh</button>
    </>
  );
}

function showNames() {
  const server = { fails: false };
  const { user } = show(
    <Names
      load={async (after) =>
        server.fails ? NOT_NOW : answered(after === null ? { names: ['Ada'], next: 1 } : { names: ['Maya'], next: 2 })
      }
    />,
  );
  return {
    server,
    press: (name: string) => user.click(screen.getByRole('button', { name })),
    shown: () => screen.getByTestId('names').textContent,
    problem: () => screen.getByRole('alert').textContent,
  };
}

test('a list is loaded page by page, keeps what it shows when a page fails, and begins again when it is refreshed', async () => {
  const { server, press, shown, problem } = showNames();
  await screen.findByText('Ada');
  await press('More');
  expect(shown()).toBe('Ada Maya');
  server.fails = true;
  await press('More');
  expect([shown(), problem()]).toEqual(['Ada Maya', 'Not now.']);
  server.fails = false;
  await press('Refresh');
  expect([shown(), problem()]).toEqual(['Ada', '']);
});

test.each([
  ['More', 'Ada Maya Maya'],
  ['Refresh', 'Ada'],
])('after a problem of %j, "More" loads the same again', async (button, names) => {
  const { server, press, shown, problem } = showNames();
  await screen.findByText('Ada');
  await press('More');
  server.fails = true;
  await press(button);
  expect([shown(), problem()]).toEqual(['Ada Maya', 'Not now.']);
  server.fails = false;
  await press('More');
  expect([shown(), problem()]).toEqual([names, '']);
});

test('a page that was asked for before a refresh, and arrives after it, leaves no gap', async () => {
  const third = Promise.withResolvers<ApiResult<Page>>();
  const { user } = show(
    <Names
      load={async (after) =>
        after === 2
          ? third.promise
          : answered(after === null ? { names: ['Ada'], next: 1 } : { names: ['Maya'], next: 2 })
      }
    />,
  );
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  const shown = () => screen.getByTestId('names').textContent;
  await screen.findByText('Ada');
  await press('More');
  await press('More');
  await press('Refresh');
  expect(shown()).toBe('Ada');
  third.resolve(answered({ names: ['Noor'], next: null }));
  await press('More');
  expect(shown()).toBe('Ada Maya');
});

function Lists({ load }: { load: (list: string, after: number | string | null) => Promise<ApiResult<Page>> }) {
  const [list, setList] = useState('Players');
  return (
    <>
      <Names list={list} load={(after) => load(list, after)} />
      <button onClick={() => setList('Coaches')}>Coaches</button>
    </>
  );
}

test.each([
  ['a page', answered({ names: ['Maya'], next: 2 })],
  ['a problem', NOT_NOW],
])('%s of one list that arrives after another list was loaded is not shown', async (_, answer) => {
  const late = Promise.withResolvers<ApiResult<Page>>();
  const { user } = show(
    <Lists load={async (list, after) => (after === null ? answered({ names: [list], next: 1 }) : late.promise)} />,
  );
  await screen.findByText('Players');
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(screen.getByRole('button', { name: 'Coaches' }));
  expect(screen.getByTestId('names').textContent).toBe('Coaches');
  await act(async () => late.resolve(answer));
  expect([screen.getByTestId('names').textContent, screen.getByRole('alert').textContent]).toEqual(['Coaches', '']);
});

function Repeated({ work }: { work: ((signal: AbortSignal) => unknown) | null }) {
  useRepeated(1_000, work);
  return null;
}

test('repeated work begins again after a pause when it has ended, until it is no longer wanted', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const calls: { signal: AbortSignal; end: () => void }[] = [];
  const work = (signal: AbortSignal) => new Promise<void>((end) => calls.push({ signal, end }));
  const { rerender } = render(<Repeated work={null} />);
  rerender(<Repeated work={work} />);
  await vi.advanceTimersByTimeAsync(999);
  expect(calls).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  rerender(<Repeated work={null} />);
  calls[1]?.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});
