/** A photo of the tagging desk, for tests without a server. */
import type { DeskPhoto } from '#src/features/tagging-desk/desk-model.rules.ts';

export const deskPhoto = (id: number, more: Partial<DeskPhoto> = {}): DeskPhoto => ({
  id,
  imageUrl: `/p/${id}`,
  width: 3,
  height: 2,
  capturedAt: null,
  camera: null,
  tags: [],
  isChecked: false,
  isShown: true,
  isWithheld: false,
  isTaken: false,
  ...more,
});
