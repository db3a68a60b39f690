/** The photos of a gallery as they come, page by page. */
import type { DeskPhoto } from '#src/features/tagging-desk/desk-model.rules.ts';

export type DeskPage = { photos: readonly DeskPhoto[]; next: string | null };
/** From the beginning with null; null when it could not be loaded. */
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

  /** The photos after those that came; null when there are none, or they could not be loaded: asked again later. */
  async next(): Promise<readonly DeskPhoto[] | null> {
    if (this.#next === null || this.#isLoading) return null;
    this.#isLoading = true;
    const page = await this.#load(this.#next);
    this.#isLoading = false;
    if (page === null) return null;
    this.#next = page.next;
    return page.photos;
  }

  /** The first photos once more, at least so many, as they are now; null when they could not be loaded. */
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
