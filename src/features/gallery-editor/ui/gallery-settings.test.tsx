// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { GalleryForm } from '#src/features/gallery-editor/gallery-form.client.ts';
import { blankValues } from '#src/features/gallery-editor/gallery-form.rules.ts';
import { GallerySettings } from '#src/features/gallery-editor/ui/gallery-settings.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test('every setting of a gallery has a control', () => {
  const values = { ...blankValues({ name: 'Hawks', default_photo_price: 4 }), password_required: true };
  const form = {
    values,
    errors: {},
    field: (name: keyof typeof values) => ({ name, value: values[name], errors: undefined }),
    set: () => {},
  } as unknown as GalleryForm;
  const { container } = show(<GallerySettings form={form} isNew={false} among="Finals" onSubmit={() => {}} />);
  const named = [...container.querySelectorAll('[name]')].map((control) => control.getAttribute('name') ?? '');
  // The choice of a price sheet loads its choices, and is not shown in a list of galleries.
  expect(named.toSorted()).toEqual(
    Object.keys(values)
      .filter((name) => name !== 'price_sheet_id')
      .toSorted(),
  );
});
