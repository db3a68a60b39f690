// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { EndedImport, RunningImport } from '#';
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

describe('an import', () => {
  test('that runs says how far it is, and that the page may be left', () => {
    show(<RunningImport answer={{ ...IMPORT, waiting: 300 }} note={null} />);
    expect(screen.getByRole('status').textContent).toBe('900 of 1,200 rows');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('75');
    expect(screen.getByText(/You can leave this page\./)).toBeTruthy();
  });

  test('that went well counts what was created and has its result as a file', async () => {
    const onAgain = vi.fn<() => void>();
    const { user } = show(<EndedImport answer={{ ...IMPORT, created: 1200, waiting: 0 }} onAgain={onAgain} />);
    expect(screen.getByText('1,200 accounts created')).toBeTruthy();
    expect(links()).toEqual(['/api/v1/bulk/9.csv']);
    await user.click(screen.getByRole('button', { name: 'Upload another file' }));
    expect(onAgain).toHaveBeenCalledTimes(1);
  });

  test('with failed rows counts each kind and offers the failed rows as a file', () => {
    const answer = { ...IMPORT, created: 1100, skipped: 99, failed: 1, waiting: 0 };
    show(<EndedImport answer={answer} onAgain={() => {}} />);
    expect(screen.getByText(/accounts created · 99 rows skipped, imported before · 1 row failed/)).toBeTruthy();
    expect(links()).toEqual(['/api/v1/bulk/9.csv', '/api/v1/bulk/9.csv?result=failed']);
  });
});
