/** One photo of the upload queue: its row, its file, and what is kept of it. */
import type { Parcel } from '#src/features/photos/send-photo.client.ts';
import type { UploadToKeep } from '#src/features/photos/upload-keeper.client.ts';
import type { UploadRow, UploadStage } from '#src/features/photos/upload-summary.rules.ts';

export type UploadJob = {
  row: UploadRow;
  kept: UploadToKeep;
  /** Null when a closed page took it along, and once it is up. */
  file: File | null;
  tries: number;
  /** Epoch milliseconds. */
  notBefore: number;
  controller: AbortController | null;
  isInspected: boolean;
};

type Placed = Pick<UploadToKeep, 'batch' | 'place' | 'galleryId' | 'affiliateId' | 'upgradePath'>;

export function keptOf({ name, size, type, lastModified }: File, placed: Placed): UploadToKeep {
  return {
    ...placed,
    id: `${placed.batch} ${placed.place}`,
    name,
    size,
    type,
    lastModified,
    key: null,
    insists: false,
  };
}

/** As it waits for its turn. */
export function rowOf(id: number, { galleryId, name, size, upgradePath }: UploadToKeep): UploadRow {
  return { id, galleryId, name, bytes: size, sentBytes: 0, stage: 'waiting', problem: null, upgradePath };
}

export function parcelOf({ file, kept: { name, affiliateId, galleryId, batch, key } }: UploadJob): Parcel {
  return { file, name, affiliateId, galleryId, batch, key };
}

export function isBusyStage(stage: UploadStage): boolean {
  return stage === 'waiting' || stage === 'sending' || stage === 'adding';
}
