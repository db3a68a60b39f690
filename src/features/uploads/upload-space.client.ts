/** How many photos each gallery still takes, counted here so that it is said before anything is sent. The server counts again. */
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';

export function createUploadSpace() {
  const spaces = new Map<number, { left: number; problem: string }>();

  return {
    /** @param photosLeft null without a limit, or where only the server knows */
    open(galleryId: number, photosLeft: number | null): void {
      if (photosLeft === null) spaces.delete(galleryId);
      else spaces.set(galleryId, { left: photosLeft, problem: UPGRADE_FOR_MORE_PHOTOS });
    },

    /** The server takes no more for this gallery. */
    close: (galleryId: number, problem: string) => void spaces.set(galleryId, { left: 0, problem }),

    /** Takes a place for one photo; answers why there is none, else null. */
    take(galleryId: number): string | null {
      const space = spaces.get(galleryId);
      return space === undefined || space.left-- > 0 ? null : space.problem;
    },

    /** Whatever was full may not be any more: the server is asked. */
    forgetAll: () => spaces.clear(),
  };
}
