/** Files that were chosen or dropped; folders are told apart, because a browser hands them over as empty files. */
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { isImageLike } from '#src/features/uploads/upload-files.rules.ts';

export type Chosen = { files: File[]; folders: string[] };
/** `ignored`: how many dropped files are no images (specification A§5). */
export type Dropped = Chosen & { ignored: number };

export function readDrop(transfer: DataTransfer): Dropped {
  const chosen: Dropped = { files: [], folders: [], ignored: 0 };
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const take = (file: File) => (isImageLike(file) ? chosen.files.push(file) : chosen.ignored++);
  if (items.length === 0) for (const file of transfer.files) take(file);
  for (const item of items) {
    const entry = item.webkitGetAsEntry?.();
    const file = item.getAsFile();
    if (entry?.isDirectory) chosen.folders.push(entry.name);
    else if (file) take(file);
  }
  return chosen;
}

/** Components that take what is dropped anywhere in the window: with several of them (many galleries on one page) each takes what is dropped onto itself. */
let takers = 0;

/**
 * The whole window takes files while the component is there, so that none opens in the browser by a near miss. Where
 * several wait for files, only what is dropped onto `place` is its own. While files hover over the window it answers
 * where they would be seen to go: on the place, or on the whole page, because the place is hidden right now.
 */
export function useFileDrop(onDrop: (dropped: Dropped) => void, place: RefObject<HTMLElement | null>) {
  const [over, setOver] = useState<'place' | 'page' | null>(null);
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    takers++;
    // Entering a child leaves its parent: only the difference says whether files are over the window.
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const isMine = (event: DragEvent) =>
      takers === 1 || (event.target instanceof Node && (place.current?.contains(event.target) ?? false));
    const onEnter = (event: DragEvent) => {
      if (hasFiles(event) && ++depth === 1) setOver(place.current?.checkVisibility?.() === false ? 'page' : 'place');
    };
    const onLeave = (event: DragEvent) => {
      if (hasFiles(event) && (depth = Math.max(0, depth - 1)) === 0) setOver(null);
    };
    const onOver = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const onDropped = (event: DragEvent) => {
      depth = 0;
      setOver(null);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      if (isMine(event)) dropped(readDrop(event.dataTransfer));
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDropped);
    return () => {
      takers--;
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDropped);
    };
  }, [place]);
  return over;
}
