/** Which renditions of a photo a browser may choose from. */
import { cdnAddressOf } from '#src/shared/cdn-addresses.ts';
import { RENDITION_SIZES, type RenditionSize } from '#src/shared/picture-sizes.ts';

type PhotoSource = {
  /** The photo's address, ours or a CDN's; may already have a query. */
  imageUrl: string;
  /** Of the upright picture, in pixels; null while it is being processed. */
  width: number | null;
  height: number | null;
};

type Size = Pick<PhotoSource, 'width' | 'height'>;

export const isSized = ({ width, height }: Size): boolean => Boolean(width && height);

/** Width / height; 3:2 while it is unknown. */
export function ratioOf({ width, height }: Size): number {
  return width && height ? width / height : 1.5;
}

/** The address of one rendition. */
export function renditionUrl(imageUrl: string, size: RenditionSize): string {
  return cdnAddressOf(imageUrl, size) ?? `${imageUrl}${imageUrl.includes('?') ? '&' : '?'}size=${size}`;
}

/**
 * `srcset` with the true width of each rendition: its size is the long side, so a portrait photo is narrower. Sizes
 * beyond the original are left out, because they would be the same picture again.
 */
export function srcSetOf(photo: PhotoSource): string {
  const longSide = longSideOf(photo);
  const sizes = RENDITION_SIZES.filter((_, index) => index === 0 || (RENDITION_SIZES[index - 1] ?? 0) < longSide);
  return sizes.map((size) => `${renditionUrl(photo.imageUrl, size)} ${widthAt(photo, size)}w`).join(', ');
}

const longSideOf = ({ width, height }: PhotoSource) => Math.max(width ?? 0, height ?? 0) || Infinity;

/** Width in pixels of one of a photo's renditions. */
export function widthAt(photo: PhotoSource, size: RenditionSize): number {
  return Math.round(Math.min(size, longSideOf(photo)) * Math.min(1, ratioOf(photo)));
}

/** A photo as the grid and the lightbox show it. `thumbhash` is base64; `alt` is made of the photo's name and keywords. */
export type ListedPhoto = PhotoSource & { id: number; thumbhash: string | null; alt: string };

/** Screens whose lightbox uses 960 px, whatever their density (rule 66); zoomed in they use more. */
export const PHONE_STAGE = '(max-width: 640px), (max-height: 480px)';

export function takes960(): boolean {
  return window.matchMedia(PHONE_STAGE).matches;
}

/** `sizes` of the large picture: as wide as the stage allows without cropping; the bars take about 120 px. */
export function stageSizes(ratio: number): string {
  return `min(100vw, (100vh - 120px) * ${Math.round(ratio * 1000) / 1000})`;
}

/** Loads the file that `StagePicture` will show, in advance. */
export function fetchAhead(photo: PhotoSource): void {
  const image = new Image();
  image.fetchPriority = 'high';
  if (!takes960()) {
    image.sizes = stageSizes(ratioOf(photo));
    image.srcset = srcSetOf(photo);
  }
  image.src = renditionUrl(photo.imageUrl, 960);
}
