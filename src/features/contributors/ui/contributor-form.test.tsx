// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { UnsentFile } from '#src/features/contributors/unsent-files.rules.ts';
import { forgetOldSent, noteArrived, wasSentTo } from '#src/features/contributors/sent-photos.client.ts';
import { ContributorForm, UnsentFiles, NOTHING_TYPED } from '#src/features/contributors/ui/contributor-form.tsx';
import { show } from '#tests/support/shown-screen.tsx';

/** The form, and below it the files that its last screen will name. */
function FormAndUnsent() {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [unsent, setUnsent] = useState<readonly UnsentFile[]>([]);
  return (
    <>
      <ContributorForm
        {...{ typed: NOTHING_TYPED, files, unsent, galleryId: 3, arrivedBefore: 0 }}
        onTyped={() => undefined}
        onFiles={setFiles}
        onUnsent={setUnsent}
        onSend={() => undefined}
      />
      <section aria-label="Not sent">
        <UnsentFiles unsent={unsent} />
      </section>
    </>
  );
}

const jpeg = (name: string, content: string) => new File([content], name, { type: 'image/jpeg' });

test('a file that was refused and then accepted is not named as left out, and one refused twice is named once', async () => {
  const { user } = show(<FormAndUnsent />);
  const choose = (...files: File[]) => user.upload(screen.getByLabelText('Photos to upload'), files);
  const named = () =>
    [...screen.getByRole('region', { name: 'Not sent' }).querySelectorAll('li')].map((li) => li.textContent);
  await choose(jpeg('IMG_1.jpg', ''), jpeg('IMG_2.jpg', ''));
  expect(named()).toEqual(['IMG_1.jpg: This file is empty.', 'IMG_2.jpg: This file is empty.']);
  await choose(jpeg('IMG_1.jpg', 'jpeg'), jpeg('IMG_2.jpg', ''));
  await screen.findByText(/1 photo chosen/);
  expect(named()).toEqual(['IMG_2.jpg: This file is empty.']);
  expect(screen.getByRole('alert').textContent).toBe('IMG_2.jpg: This file is empty.');
});

test('photos that this browser sent to the gallery are left out when they are chosen again, unless their sender insists', async () => {
  const [sent, fresh] = [jpeg('IMG_1.jpg', 'one'), jpeg('IMG_2.jpg', 'two')];
  noteArrived(3, [sent]);
  noteArrived(4, [fresh]);
  const { user } = show(<FormAndUnsent />);
  await user.upload(screen.getByLabelText('Photos to upload'), [sent, fresh]);
  await screen.findByText(/1 photo chosen/);
  await screen.findByText('1 photo that you have already sent is left out.');
  await user.click(screen.getByRole('button', { name: 'Send it again' }));
  await screen.findByText(/2 photos chosen/);
});

test('what this browser sent is forgotten when nothing was sent to the gallery for 30 days', () => {
  onTestFinished(() => void vi.useRealTimers());
  const photo = jpeg('IMG_3.jpg', 'three');
  const passDays = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
  noteArrived(5, [photo]);
  passDays(29);
  noteArrived(6, [photo]);
  forgetOldSent();
  expect([5, 6].map((gallery) => wasSentTo(gallery)(photo))).toEqual([true, true]);
  passDays(2);
  forgetOldSent();
  expect([5, 6].map((gallery) => wasSentTo(gallery)(photo))).toEqual([false, true]);
});

test('the files that were left out can be read by keyboard where their list scrolls', async () => {
  const { user } = show(<UnsentFiles unsent={[{ name: 'IMG_1.jpg', why: 'This file is empty.' }]} />);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Skipped files' }));
});
