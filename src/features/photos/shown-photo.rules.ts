/** A photo on public pages: only the fields that a tile and the lightbox need. */
import type { PhotoAnswer, PhotosPage } from '#src/features/photos/photos.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { fromDollars, type Cents } from '#src/shared/money.ts';

export type ShownPhoto = {
  id: number;
  galleryId: number;
  name: string;
  /** From name and keywords, for screen readers. */
  alt: string;
  imageUrl: string;
  width: number | null;
  height: number | null;
  /** Base64. */
  thumbhash: string | null;
  priceCents: Cents;
  likes: number;
  liked: boolean;
  votes: number;
  voted: boolean;
  keywords: readonly string[];
  /** The camera's local time, ISO text without zone. */
  takenAt: string | null;
};

/** Photos of a gallery in their order, and the key of the next page. */
export type ShownPhotos = { photos: readonly ShownPhoto[]; next: string | null; total: number };

/** "Corner kick: goal, 23" of `Corner kick.jpg` with two keywords; "Photo 214, numbers 10 and 7" with athletes (athletes B.6). */
export function altOf(name: string, keywords: readonly string[], numbers: readonly string[] = []): string {
  const title =
    name
      .replace(/\.jpe?g$/i, '')
      .replaceAll('_', ' ')
      .trim() || 'Photo';
  const worn =
    numbers.length === 0 ? '' : `, number${numbers[1] ? 's' : ''} ${numbers.join(', ').replace(/,(?=[^,]*$)/, ' and')}`;
  return `${title}${worn}${keywords.length === 0 ? '' : `: ${keywords.join(', ')}`}`;
}

export function showPhoto(photo: PhotoAnswer): ShownPhoto {
  const { numbers = [] } = photo;
  const keywords = photo.keywords.map(({ name }) => name).filter((name) => !numbers.includes(name));
  return {
    id: photo.id,
    galleryId: photo.gallery_id,
    name: photo.name,
    alt: altOf(photo.name, keywords, numbers),
    imageUrl: photo.image_url,
    width: photo.width,
    height: photo.height,
    thumbhash: photo.thumbhash,
    priceCents: fromDollars(photo.price),
    likes: photo.likes,
    liked: photo.liked,
    votes: photo.votes,
    voted: photo.voted,
    keywords: [...numbers, ...keywords],
    takenAt: photo.captured_at,
  };
}

/** Members' answers contain hidden and unfinished photos, too; public pages show them what visitors see. */
export function showPhotos(page: PhotosPage): ShownPhotos {
  const photos = page.photos.filter(({ show_in_gallery, status }) => show_in_gallery && status === 'ready');
  return { photos: photos.map(showPhoto), next: page.next, total: page.total };
}

/** The maximum count of found photos. */
export const FOUND_AT_MOST = 1_000;

/** "1 photo", "36 photos", "1,000 or more photos": the size of a result. */
export function foundText(total: number): string {
  if (total === 1) return '1 photo';
  return `${formatCount(total)}${total >= FOUND_AT_MOST ? ' or more' : ''} photos`;
}
