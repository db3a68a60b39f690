/** Photos with changes that the server has not answered yet. */
import type { Work } from '#src/features/tagging-desk/tag-store.client.ts';

export class UnsentPhotos {
  /** How many such changes each photo has. */
  readonly #changes = new Map<number, number>();

  /** Photos that are loaded at this moment may lack what is saved meanwhile: ask before and after. */
  get ids(): readonly number[] {
    return [...this.#changes.keys()];
  }

  /** Returns the same changes. */
  sent(work: readonly Work[]): readonly Work[] {
    this.#count(work, 1);
    return work;
  }

  answered(work: readonly Work[]): void {
    this.#count(work, -1);
  }

  #count(work: readonly Work[], by: 1 | -1): void {
    for (const id of work.flatMap(({ photo_ids: ids }) => ids)) {
      const left = (this.#changes.get(id) ?? 0) + by;
      if (left > 0) this.#changes.set(id, left);
      else this.#changes.delete(id);
    }
  }
}
