/** Files that were chosen or dropped. Folders are filtered out, because browsers report them as empty files. */
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { isImageLike } from '#src/features/uploads/upload-files.rules.ts';

export type Chosen = { files: File[]; folders: string[] };
/** `ignored`: how many dropped files are not images (specification A§5). */
type Dropped = Chosen & { ignored: number };

function readDrop(transfer: DataTransfer): Dropped {
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

/**
 * Components that accept drops anywhere in the window; if there are several (many galleries on one page) each accepts only
 * drops onto itself.
 */
let takers = 0;

/**
 * The whole window accepts files while the component exists, so that a near miss does not open one in the browser. If several
 * components accept files, only drops onto `place` belong to this one. While files are dragged over the window it returns where
 * they would go: to the place, or to the whole page if the place is hidden.
 */
export function useFileDrop(onDrop: (dropped: Dropped) => void, place: RefObject<HTMLElement | null>) {
  const [over, setOver] = useState<'place' | 'page' | null>(null);
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    takers++;
    // Entering a child leaves its parent: only the difference shows whether files are over the window.
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
