import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { LimitReached } from '#src/features/billing/ui/limit-reached.tsx';
import type { Chosen } from '#src/features/photos/chosen-files.client.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { UploadZone } from '#src/features/photos/ui/upload-zone.tsx';
import { roomFor } from '#src/features/photos/upload-choice.rules.ts';
import { uploadQueue } from '#src/features/photos/uploads.client.ts';

type UploadAreaProps = {
  galleryId: number;
  affiliateId: number;
  /** Where a free club gets room for more photos, and from where it leads back here. */
  upgradePath: string;
  /** Photos that the gallery still takes; null without a limit. */
  photosLeft?: number | null;
  /** Large where there is nothing else to look at. */
  isLarge?: boolean;
  /** A page has several. */
  isOneOfMany?: boolean;
};

/**
 * Takes photos for one gallery and hands them to the window's queue, which goes on wherever their owner moves. What the free
 * tier has no room for is said before anything is sent; the server counts again.
 */
export function UploadArea({
  galleryId,
  affiliateId,
  upgradePath,
  photosLeft = null,
  isLarge = false,
  isOneOfMany = false,
}: UploadAreaProps) {
  const [refused, setRefused] = useState<{ taken: number; of: number } | null>(null);
  const { revalidate } = useRevalidator();
  const hasLimit = photosLeft !== null;
  // When the queue is empty (files-done) there is less room than the page knows of.
  useEffect(() => (hasLimit ? uploadQueue().watchDone(() => void revalidate()) : undefined), [hasLimit, revalidate]);

  function choose(chosen: Chosen): void {
    const { files, tooMany } = roomFor(chosen.files, photosLeft);
    setRefused(tooMany > 0 ? { taken: files.length, of: chosen.files.length } : null);
    if (files.length + chosen.folders.length > 0)
      uploadQueue().add({ galleryId, affiliateId, upgradePath, ...chosen, files });
  }

  if (photosLeft === 0) return <LimitReached upgradeTo={upgradePath}>{UPGRADE_FOR_MORE_PHOTOS}</LimitReached>;
  return (
    <div className="flex flex-col gap-3">
      {refused && (
        <LimitReached upgradeTo={upgradePath}>
          {UPGRADE_FOR_MORE_PHOTOS} The first {refused.taken} of {refused.of} were taken.
        </LimitReached>
      )}
      <UploadZone isLarge={isLarge} isOneOfMany={isOneOfMany} onChosen={choose} />
    </div>
  );
}
