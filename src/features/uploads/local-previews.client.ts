/**
 * Photos that this window has just sent look like themselves at once, long before the worker has made their renditions:
 * tiles in sight are drawn small from the file itself, one at a time, because a photo of 12 megapixels takes 48 MB while
 * it is decoded.
 */
import { useEffect, useState } from 'react';

/** Of a preview, in pixels: that of a tile on a phone with two pixels to a point. */
const LONG_SIDE = 480;
/** A file takes no memory until it is read; still, the list ends somewhere. */
const MAX_FILES = 2_000;

const files = new Map<number, File>();
let lastDrawing: Promise<unknown> = Promise.resolve();

export function keepForPreview(photoId: number, file: File): void {
  files.set(photoId, file);
  const [oldest] = files.keys();
  if (files.size > MAX_FILES && oldest !== undefined) files.delete(oldest);
}

/** The address of a small picture, while the tile is there; null for photos of others. @param isReady its renditions are made: the file is let go with the tile */
export function useLocalPreview(photoId: number, isReady: boolean): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const file = files.get(photoId);
    if (!file) return;
    let drawn: string | null = null;
    let isGone = false;
    lastDrawing = lastDrawing.then(async () => {
      const picture = isGone ? null : await drawSmall(file).catch(() => null);
      if (picture === null || isGone) return;
      drawn = URL.createObjectURL(picture);
      setUrl(drawn);
    });
    return () => {
      isGone = true;
      setUrl(null);
      if (drawn !== null) URL.revokeObjectURL(drawn);
    };
  }, [photoId]);
  useEffect(() => (isReady ? () => void files.delete(photoId) : undefined), [photoId, isReady]);
  return url;
}

async function drawSmall(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file, { resizeWidth: LONG_SIDE, resizeQuality: 'medium' });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
}
