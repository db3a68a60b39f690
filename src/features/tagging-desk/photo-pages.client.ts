/** Loads the photos of a gallery, page by page. */
import type { DeskPhoto } from '#src/features/tagging-desk/desk-model.rules.ts';

export type DeskPage = { photos: readonly DeskPhoto[]; next: string | null };
/** Null starts at the beginning; resolves to null when loading failed. */
export type LoadPage = (after: string | null) => Promise<DeskPage | null>;

export class PhotoPages {
  readonly #load: LoadPage;
  #next: string | null;
  #isLoading = false;

  constructor(load: LoadPage, next: string | null) {
    this.#load = load;
    this.#next = next;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** The next photos; null when there are none, or loading failed and can be repeated. */
  async next(): Promise<readonly DeskPhoto[] | null> {
    if (this.#next === null || this.#isLoading) return null;
    this.#isLoading = true;
    const page = await this.#load(this.#next);
    this.#isLoading = false;
    if (page === null) return null;
    this.#next = page.next;
    return page.photos;
  }

  /** Reloads at least this many of the first photos; null when loading failed. */
  async again(count: number): Promise<ReadonlyMap<number, DeskPhoto> | null> {
    const photos = new Map<number, DeskPhoto>();
    let after: string | null = null;
    do {
      const page: DeskPage | null = await this.#load(after);
      if (page === null) return null;
      for (const photo of page.photos) photos.set(photo.id, photo);
      after = page.next;
    } while (after !== null && photos.size < count);
    return photos;
  }
}
