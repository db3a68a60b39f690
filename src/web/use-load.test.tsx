// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ApiResult } from '#src/web/api-client.ts';
import { useLoadedPages } from '#src/web/use-load.ts';
import { show } from '#tests/support/shown-screen.tsx';

type Page = { names: string[]; next: number | null };
const answered = (data: Page): ApiResult<Page> => ({ ok: true, status: 200, data });

function Names({ load }: { load: (after: number | string | null) => Promise<ApiResult<Page>> }) {
  const { pages, problem, hasMore, more, refresh } = useLoadedPages<Page>('names', load);
  return (
    <>
      <p data-testid="names">{pages.flatMap(({ names }) => names).join(' ')}</p>
      <p role="alert">{problem}</p>
      {hasMore && <button onClick={more}>More</button>}
      <button onClick={refresh}>Refresh</button>
    </>
  );
}

test('a list is loaded page by page, keeps what it shows when a page fails, and begins again when it is refreshed', async () => {
  let fails = false;
  const { user } = show(
    <Names
      load={async (after) =>
        fails
          ? { ok: false, status: 500, error: 'Not now.', errors: {}, body: {}, retryAfterSeconds: null }
          : answered(after === null ? { names: ['Ada'], next: 1 } : { names: ['Maya'], next: 2 })
      }
    />,
  );
  const shown = () => screen.getByTestId('names').textContent;
  await screen.findByText('Ada');
  await user.click(screen.getByRole('button', { name: 'More' }));
  expect(shown()).toBe('Ada Maya');
  fails = true;
  await user.click(screen.getByRole('button', { name: 'More' }));
  expect([shown(), screen.getByRole('alert').textContent]).toEqual(['Ada Maya', 'Not now.']);
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect([shown(), screen.getByRole('alert').textContent]).toEqual(['Ada', '']);
});
