// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { FailedPhotos } from '#src/features/photo-editor/ui/list-notices.tsx';
import { SHOW_LABELS, type PhotoShow, type ShowCounts } from '#src/features/photos/photo-grid.contract.ts';

afterEach(cleanup);

const counts: ShowCounts = {
  default: 3,
  onlyShowInGallery: 2,
  onlyNotShowInGallery: 0,
  withoutKeywords: 2,
  failed: 1,
};

function Editor() {
  const [show, setShow] = useState<PhotoShow>('onlyShowInGallery');
  const pages = {
    counts,
    view: { show, sort: 'custom', keyword: '' } as const,
    choose: (view: { show?: PhotoShow }) => setShow(view.show ?? show),
  };
  return (
    <div>
      <select aria-label="Filter photos" value={show} onChange={() => undefined}>
        <option value={show}>{SHOW_LABELS[show]}</option>
      </select>
      <FailedPhotos pages={pages} />
    </div>
  );
}

test('“See why” shows the failed photos, and gives the focus to the filter that says so', async () => {
  render(<Editor />);
  const button = screen.getByRole('button', { name: 'See why' });
  button.focus();
  button.click();
  const filter = screen.getByLabelText<HTMLSelectElement>('Filter photos');
  await waitFor(() => expect(document.activeElement).toBe(filter));
  expect(filter.value).toBe('failed');
  expect(screen.queryByRole('button', { name: 'See why' })).toBeNull();
});
