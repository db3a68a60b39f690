/** One photo of the upload queue: its row, its file, and what is kept of it. */
import type { Parcel } from '#src/features/uploads/send-photo.client.ts';
import type { Adopted, UploadToKeep } from '#src/features/uploads/upload-keeper.client.ts';
import { NOT_KEPT } from '#src/features/uploads/upload-tray.contract.ts';
import type { UploadRow, UploadStage } from '#src/features/uploads/upload-summary.rules.ts';

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

/** What was chosen or dropped at once. */
export type Drop = {
  galleryId: number;
  affiliateId: number;
  files: readonly File[];
  folders?: readonly string[];
  /** Photos that the gallery still takes, as far as its page knows; null without a limit. */
  photosLeft?: number | null;
  /** Where the owner gets space for more photos. */
  upgradePath?: string | null;
  /** The gallery's editor, where its owner goes on afterwards. */
  editorPath?: string | null;
};

type Placed = Pick<UploadToKeep, 'batch' | 'place' | 'galleryId' | 'affiliateId' | 'upgradePath' | 'editorPath'>;

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

export function newJob(id: number, kept: UploadToKeep, file: File | null): UploadJob {
  const row = rowOf(id, kept);
  return { row, kept, file, tries: 0, notBefore: 0, controller: null, isInspected: false };
}

/** As a closed page left it: up already, lost, or on its way. What was stored, or is wanted twice, is not looked at again. */
export function restoredJob(id: number, { upload, file }: Adopted): UploadJob {
  const job = newJob(id, upload, file);
  job.isInspected = upload.insists || upload.key !== null;
  if (upload.isUp) job.row = { ...job.row, stage: 'added', sentBytes: job.row.bytes };
  else if (file === null && upload.key === null) job.row = { ...job.row, stage: 'refused', problem: NOT_KEPT };
  return job;
}

/** As it waits for its turn. */
function rowOf(id: number, { galleryId, name, size, upgradePath, editorPath = null }: UploadToKeep): UploadRow {
  const paths = { upgradePath, editorPath };
  return { id, galleryId, name, bytes: size, sentBytes: 0, stage: 'waiting', problem: null, ...paths };
}

export function parcelOf({ file, kept: { name, affiliateId, galleryId, batch, key } }: UploadJob): Parcel {
  return { file, name, affiliateId, galleryId, batch, key };
}

/** It waits to be looked at before it may travel. */
export function isUnchecked({ row, isInspected }: UploadJob): boolean {
  return row.stage === 'waiting' && !isInspected;
}

export function isBusyStage(stage: UploadStage): boolean {
  return stage === 'waiting' || stage === 'sending' || stage === 'adding';
}

/** It has been looked at, and takes a place in its gallery that the gallery's page does not know of. */
export function isOnItsWay(job: UploadJob): boolean {
  return isBusyStage(job.row.stage) && !isUnchecked(job);
}

export function stopJob(job: UploadJob): void {
  job.controller?.abort();
  job.controller = null;
}

/** Also where `crypto.randomUUID` is not: on addresses without TLS. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
