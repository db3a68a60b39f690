import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ExportList } from '#src/features/exports/ui/export-list.tsx';

test.each([
  [0, null],
  [1, '1 photo could not be read and is not in this copy.'],
  [1_200, '1,200 photos could not be read and are not in this copy.'],
])('a copy says how many of its photos are not in it: %i', (count, words) => {
  const copy = {
    id: 1,
    state: 'ready' as const,
    created_at: '2026-11-01T10:00:00.000Z',
    expires_at: '2026-11-08T10:00:00.000Z',
    photos: 2_000,
    unreadable_photos: count,
    bytes: 1,
    parts: [],
  };
  const page = renderToStaticMarkup(<ExportList copies={[copy]} timeZone="America/New_York" />);
  if (words === null) expect(page).not.toContain('could not be read');
  else expect(page).toContain(words);
});
