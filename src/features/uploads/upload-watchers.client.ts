/** Who watches the upload queue: rows and the total apart, so that a row is redrawn by its own progress only. */
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

type Listener = () => void;
/** Told of each photo that a gallery took, with its file; null when its answer was lost on the way, or its file with a closed page. */
type AddedListener = (photo: PhotoAnswer | null, galleryId: number, file: File | null) => void;
/** Told how many photos were added, and how many are left that need their owner. */
type DoneListener = (added: number, left: number) => void;

export function createUploadWatchers() {
  const ofRows = new Map<number, Set<Listener>>();
  const ofSummary = new Set<Listener>();
  const ofAdded = new Set<AddedListener>();
  const ofDone = new Set<DoneListener>();

  return {
    tellRow(id: number): void {
      for (const listener of ofRows.get(id) ?? []) listener();
    },
    tellSummary(): void {
      for (const listener of ofSummary) listener();
    },
    tellAdded(photo: PhotoAnswer | null, galleryId: number, file: File | null): void {
      for (const listener of ofAdded) listener(photo, galleryId, file);
    },
    /** The queue is empty (specification A§9: files-done). */
    tellDone(added: number, left: number): void {
      for (const listener of ofDone) listener(added, left);
    },

    /** Each answers how to stop watching. */
    watchRow(id: number, listener: Listener): () => void {
      const listeners = ofRows.get(id) ?? new Set();
      ofRows.set(id, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && ofRows.get(id) === listeners) ofRows.delete(id);
      };
    },
    watchSummary(listener: Listener): () => void {
      ofSummary.add(listener);
      return () => ofSummary.delete(listener);
    },
    watchAdded(listener: AddedListener): () => void {
      ofAdded.add(listener);
      return () => ofAdded.delete(listener);
    },
    watchDone(listener: DoneListener): () => void {
      ofDone.add(listener);
      return () => ofDone.delete(listener);
    },
  };
}
