/**
 * Previews of photos that were chosen or just sent in this window, until the worker has made their renditions. Visible
 * ones are drawn small from the file itself, one at a time, because decoding a photo of 12 megapixels takes 48 MB.
 */
import { useEffect, useRef, useState } from 'react';

/** In pixels: the size of a tile on a phone with a pixel ratio of two. */
const LONG_SIDE = 480;
/** A file takes no memory until it is read, but the list needs a limit. */
const MAX_FILES = 2_000;

const files = new Map<number, File>();
let lastDrawing: Promise<unknown> = Promise.resolve();

export function rememberForPreview(photoId: number, file: File): void {
  files.set(photoId, file);
  const [oldest] = files.keys();
  if (files.size > MAX_FILES && oldest !== undefined) files.delete(oldest);
}

/**
 * The address of a small picture while the tile is mounted; null for photos of others.
 * @param isReady its renditions exist: the file is released with the tile
 */
export function useLocalPreview(photoId: number, isReady: boolean): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const file = files.get(photoId);
    return file && drawInTurn(file, setUrl);
  }, [photoId]);
  useEffect(() => (isReady ? () => void files.delete(photoId) : undefined), [photoId, isReady]);
  return url;
}

/** The address of a small picture of a file that is not sent yet; null until the element with the ref `row` was in view. */
export function useChosenPreview(file: File) {
  const row = useRef<HTMLLIElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!row.current) return;
    let stop: (() => void) | null = null;
    const view = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      view.disconnect();
      stop = drawInTurn(file, setUrl);
    });
    view.observe(row.current);
    return () => {
      view.disconnect();
      stop?.();
    };
  }, [file]);
  return { row, url };
}

/** Draws after the pictures that are already waiting. The returned function cancels this and releases the picture. */
function drawInTurn(file: File, show: (url: string | null) => void): () => void {
  let drawn: string | null = null;
  let isGone = false;
  lastDrawing = lastDrawing.then(async () => {
    const picture = isGone ? null : await drawSmall(file).catch(() => null);
    if (picture === null || isGone) return;
    drawn = URL.createObjectURL(picture);
    show(drawn);
  });
  return () => {
    isGone = true;
    show(null);
    if (drawn !== null) URL.revokeObjectURL(drawn);
  };
}

async function drawSmall(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file, { resizeWidth: LONG_SIDE, resizeQuality: 'medium' });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
}
