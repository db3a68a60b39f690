// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { FoundDialog } from '#src/features/bulk-imports/ui/csv-dialogs.tsx';
import { CsvImportPanel } from '#src/features/bulk-imports/ui/csv-import-page.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const IMPORT: BulkAnswer = {
  import_id: 9,
  kind: 'users',
  file_name: 'clubs.csv',
  status: 'running',
  started_at: '2026-11-20T12:00:00Z',
  started_by: 'Admin',
  total: 1200,
  created: 0,
  skipped: 0,
  failed: 0,
  waiting: 1200,
  notices: [],
  invitations: null,
  preview: [],
  rows: [],
};
const links = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));

/** The page while an import runs; the server later responds with `later`. */
function showImport(now: Partial<BulkAnswer>, later: Partial<BulkAnswer> = now) {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ ...IMPORT, ...later })),
  );
  return show(<CsvImportPanel kind="users" recent={[{ ...IMPORT, ...now }]} onChanged={() => {}} />);
}
afterEach(() => void vi.unstubAllGlobals());

describe('an import', () => {
  test('that runs shows its progress, and that you can leave the page', async () => {
    showImport({ waiting: 1200 }, { waiting: 300 });
    expect(await screen.findByText('900 of 1,200 rows')).toBeTruthy();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('75');
    expect(screen.getByText(/You can leave this page\./)).toBeTruthy();
  });

  test('that succeeded counts what was created and has its result as a file; another file may follow', async () => {
    const { user } = showImport({}, { status: 'finished', created: 1200, waiting: 0 });
    expect(await screen.findByText(/^1,200 .* created$/)).toBeTruthy();
    expect(links()).toEqual(['/api/v1/bulk/9.csv']);
    await user.click(screen.getByRole('button', { name: 'Upload another file' }));
    expect(screen.getByRole('button', { name: 'Choose a CSV file' })).toBeTruthy();
  });

  test('with failed rows counts each kind and offers the failed rows as a file', async () => {
    showImport({}, { status: 'finished', created: 1100, skipped: 99, failed: 1, waiting: 0 });
    expect(await screen.findByText(/created · 99 rows skipped, imported before · 1 row failed/)).toBeTruthy();
    expect(links()).toEqual(['/api/v1/bulk/9.csv', '/api/v1/bulk/9.csv?result=failed']);
  });

  test('continues while the server is unreachable', async () => {
    showImport({ waiting: 300 });
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => Promise.reject(new TypeError('away'))),
    );
    expect(await screen.findByText('900 of 1,200 rows')).toBeTruthy();
  });
});

test('a file with wrong rows says what happens to rows that were imported before', () => {
  const answer = { ...IMPORT, status: 'checked', total: 12, created: 9, skipped: 2, failed: 1, waiting: 0 } as const;
  show(<FoundDialog answer={answer} isStarting={false} onStart={() => {}} onClose={() => {}} />);
  const words = screen.getByText(/1 row of 12 cannot be imported\./).textContent;
  expect(words).toBe(
    '1 row of 12 cannot be imported. 11 rows are valid. 2 rows were imported before and will be skipped. They change nothing.',
  );
});
