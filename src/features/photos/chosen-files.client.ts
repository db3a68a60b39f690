/** Files that were chosen or dropped; folders are told apart, because a browser hands them over as empty files. */
import { useEffect, useEffectEvent, useState } from 'react';
import { isImageLike } from '#src/features/photos/upload-choice.rules.ts';

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

/** The whole window takes files while the component is there, so that none opens in the browser by a near miss. True while files hover over it. */
export function useFileDrop(onDrop: (dropped: Dropped) => void): boolean {
  const [isOver, setOver] = useState(false);
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    // Entering a child leaves its parent: only the difference says whether files are over the window.
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onEnter = (event: DragEvent) => {
      if (hasFiles(event) && ++depth === 1) setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (hasFiles(event) && (depth = Math.max(0, depth - 1)) === 0) setOver(false);
    };
    const onOver = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const onDropped = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      dropped(readDrop(event.dataTransfer));
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDropped);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDropped);
    };
  }, []);
  return isOver;
}
