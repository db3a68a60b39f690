// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { CHANGEABLE_FIELDS, galleryAnswer, type GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { GalleryTitle } from '#src/features/public-gallery/ui/gallery-title.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test('visitors see every text that editors give a gallery', () => {
  const fields = CHANGEABLE_FIELDS.filter((field) => galleryAnswer.shape[field]._zod.def.type === 'string');
  const texts = Object.fromEntries(fields.map((field) => [field, `The ${field}`]));
  const gallery = { ...texts, price_per_photo: 4, display_goal: true, target_goal: 100 } as unknown as GalleryAnswer;
  const affiliate = { id: 2, name: 'Hawks', path: 'hawks' };
  const { container } = show(
    <GalleryTitle gallery={gallery} affiliate={affiliate} photoCount={0} isEmbedded={false} />,
  );
  expect(fields).toEqual(expect.arrayContaining(['name', 'photos_by', 'goal_description']));
  expect(fields.filter((field) => !container.textContent.includes(`The ${field}`))).toEqual([]);
});
