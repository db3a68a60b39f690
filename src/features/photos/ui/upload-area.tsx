import { UploadZone } from '#src/features/photos/ui/upload-zone.tsx';
import { uploadQueue } from '#src/features/photos/uploads.client.ts';

type UploadAreaProps = {
  galleryId: number;
  affiliateId: number;
  /** Where a free club gets room for more photos: `/{affiliate}/upgrade-account`. */
  upgradePath: string;
  /** Large where there is nothing else to look at. */
  isLarge?: boolean;
};

/** Takes photos for one gallery and hands them to the window's queue, which goes on wherever their owner moves. */
export function UploadArea({ galleryId, affiliateId, upgradePath, isLarge = false }: UploadAreaProps) {
  return (
    <UploadZone
      isLarge={isLarge}
      onChosen={(chosen) => uploadQueue().add({ galleryId, affiliateId, upgradePath, ...chosen })}
    />
  );
}
