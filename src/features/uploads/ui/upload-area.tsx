import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { LimitReached } from '#src/features/billing/ui/limit-reached.tsx';
import type { Chosen } from '#src/features/uploads/chosen-files.client.ts';
import { FREE_PHOTOS_PER_GALLERY } from '#src/features/tenancy/plans.rules.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { photosLeftWords } from '#src/features/uploads/upload-tray.contract.ts';
import { UploadZone } from '#src/features/uploads/ui/upload-zone.tsx';
import { uploadQueue } from '#src/features/uploads/uploads.client.ts';

type UploadAreaProps = {
  galleryId: number;
  affiliateId: number;
  /** Where a free club gets space for more photos, and from where it leads back here. */
  upgradePath: string;
  /** Photos that the gallery still takes; null without a limit. */
  photosLeft?: number | null;
  /** Large where there is nothing else to look at. */
  isLarge?: boolean;
  /** A page has several. */
  isOneOfMany?: boolean;
  /** Where the owner goes on afterwards: the gallery's editor. */
  editorPath?: string;
};

/**
 * Takes photos for one gallery and hands them to the window's queue, which goes on wherever their owner moves. How much space
 * the free tier leaves is said before anything is chosen; the queue counts what takes a place, and the server counts again.
 */
export function UploadArea({
  galleryId,
  affiliateId,
  upgradePath,
  photosLeft = null,
  isLarge = false,
  isOneOfMany = false,
  editorPath,
}: UploadAreaProps) {
  const { revalidate } = useRevalidator();
  const hasLimit = photosLeft !== null;
  // When the queue is empty (files-done) there is less space than the page knows of.
  useEffect(() => (hasLimit ? uploadQueue().watchDone(() => void revalidate()) : undefined), [hasLimit, revalidate]);

  function choose(chosen: Chosen): void {
    const editor = editorPath === undefined ? {} : { editorPath };
    uploadQueue().add({ galleryId, affiliateId, upgradePath, photosLeft, ...editor, ...chosen });
  }

  if (photosLeft === 0) return <LimitReached upgradeTo={upgradePath}>{UPGRADE_FOR_MORE_PHOTOS}</LimitReached>;
  return (
    <UploadZone
      isLarge={isLarge}
      isOneOfMany={isOneOfMany}
      space={photosLeft === null ? null : photosLeftWords(photosLeft, FREE_PHOTOS_PER_GALLERY)}
      onChosen={choose}
    />
  );
}
