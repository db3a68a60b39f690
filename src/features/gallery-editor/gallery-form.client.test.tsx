// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useGalleryForm } from '#src/features/gallery-editor/gallery-form.client.ts';
import { blankValues } from '#src/features/gallery-editor/gallery-form.rules.ts';
import { UNREADABLE_ANSWER } from '#src/web/api-client.ts';
import { show } from '#tests/support/shown-screen.tsx';

function Form() {
  const form = useGalleryForm(
    { ...blankValues({ name: 'Hawks', default_photo_price: 4 }), name: 'Cup' },
    { galleryId: 7, organizationId: 5 },
  );
  return (
    <>
      <button onClick={() => form.set('name', 'Final')}>Rename</button>
      <button onClick={() => void form.save()}>Save</button>
      <p role="alert">{Object.values(form.errors).flat().join(' ')}</p>
    </>
  );
}

test('an answer without the saved gallery is a problem of the form', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([])));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<Form />);
  await user.click(screen.getByRole('button', { name: 'Rename' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(UNREADABLE_ANSWER)).toBeDefined();
});
