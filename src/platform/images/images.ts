/**
 * Pictures are decoded only in a memory-limited child process without secrets (`picture-child.ts`); this is the
 * interface for the rest of the product.
 */
import type { RenditionSize } from '#src/shared/picture-sizes.ts';

/** `clean` is for members and buyers; `marked` carries the watermark. */
export type RenditionMark = 'clean' | 'marked';

/** A JPEG (docs/decisions/0002-renditions.md). */
export type Rendition = {
  size: RenditionSize;
  mark: RenditionMark;
  width: number;
  height: number;
  /** SHA-256 of the bytes, lower-case hex. */
  sha256: string;
  bytes: Buffer;
};

/** The watermark: the organization's own picture at 30 %, or its name as a thin slanted line (rule 57). */
export type Watermark = {
  /** How clearly a text is visible; normal by default. */
  strength?: MarkStrength;
  /** Drawn instead of a text that contains unsupported characters: the domain name. */
  fallback?: string;
} & (
  | { kind: 'text'; text: string; placement?: MarkPlacement }
  /** `name` is drawn if the picture cannot be (not a PNG, damaged, empty). */
  | { kind: 'image'; png: Buffer; placement: MarkPlacement; name?: string }
);
/** In several copies over the picture, or once in its middle; a text is tiled by default. */
export type MarkPlacement = 'tiled' | 'centred';
const MARK_STRENGTHS = ['light', 'normal', 'strong'] as const;
export type MarkStrength = (typeof MARK_STRENGTHS)[number];

/** Allow-listed facts read from the bytes; never GPS, never serial numbers. */
export type PictureFacts = {
  /** Upright, after orientation and turns. */
  width: number;
  height: number;
  /** Local time of the camera as ISO text without zone, and as an instant (offset if the file says one, else UTC). */
  capturedAt: Date | null;
  /** make, model, lens, exposureTime (s), fNumber, iso, focalLength (mm), focalLength35mm, takenAt (local ISO text); absent where unknown. */
  exif: Record<string, string | number>;
  /** title, headline, caption, byline, credit, copyright; absent where unknown. */
  iptc: Record<string, string | string[]>;
  /** IPTC keywords, cleaned: trimmed, unique without case, at most 50 of 60 characters. */
  keywords: string[];
  /** thumbhash bytes of the upright picture. */
  thumbhash: Buffer;
} & PictureMeasures;

/** Values that find similar pictures and blurred ones (`picture-measures.ts`). */
export type PictureMeasures = {
  /** 64 bits as 16 hex digits; pictures that look alike differ in few of them. */
  dhash: string;
  /** The higher the sharper; 0 for an even area. */
  sharpness: number;
};

/** A file that is streamed, so that the sender never has all of it in memory. */
export type FileInPieces = {
  bytes: number;
  /** Ownership of each chunk passes on: its memory is freed when it is sent. */
  pieces: AsyncIterable<Uint8Array>;
};

/** A picture process has the whole file in memory, however it was sent. */
export type DevelopRequest<Original = Buffer | FileInPieces> = {
  /** The uploaded file. */
  original: Original;
  /** Its SHA-256 in lower-case hex, if the store knows it: computing it takes 0.5 ms for each megabyte. */
  originalSha256?: string | undefined;
  /** Clockwise quarter turns on top of the file's own orientation. */
  turns: 0 | 1 | 2 | 3;
  watermark: Watermark;
};

/** A developed picture, or the reason, as a message for the owner, why it cannot be developed. */
export type Developed =
  /** `originalSha256`: of the uploaded file as it is, lower-case hex. Renditions: every size in both marks; equal ones share `bytes`. */
  { ok: true; originalSha256: string; facts: PictureFacts; renditions: Rendition[] } | { ok: false; problem: string };

/** Makes the marked renditions of a photo with another watermark from its clean ones. */
export type RemarkRequest = {
  /** Every distinct clean rendition with the sizes for which it is used. */
  clean: readonly CleanRendition[];
  /** Of the uploaded file: the watermark gets the same position as at ingest. */
  originalSha256: string;
  watermark: Watermark;
};
type CleanRendition = { sizes: readonly RenditionSize[]; bytes: Buffer };

/** A JPEG of the rendition (null: the built-in sample) with the watermark. */
export type PreviewRequest = { rendition: Buffer | null; watermark: Watermark };

/** A small picture of an organization (logo, banner, watermark) that is decoded and encoded again. */
export type RewriteRequest = {
  picture: Buffer;
  /** Larger ones are reduced to fit, smaller ones stay unchanged; null keeps every size. */
  box: { width: number; height: number } | null;
  /** `kept`: its own type. */
  to: 'png' | 'jpeg' | 'kept';
};
export type RewrittenPicture = {
  bytes: Buffer;
  type: 'png' | 'jpeg';
  /** Of the upload, upright, before it was reduced. */
  source: { width: number; height: number };
};

/** Lighter work on our own renditions, done by the same processes. Rejects as `develop` does, and for damaged renditions. */
export type RenditionWork = {
  /** Returns one marked rendition for each size. */
  remark(request: RemarkRequest): Promise<Rendition[]>;
  preview(request: PreviewRequest): Promise<Buffer>;
};

export type PictureLab = {
  /**
   * Checks the header, reads the facts and makes every rendition that ingest makes. Rejects only if the child died or
   * timed out (the job is then retried).
   */
  develop(request: DevelopRequest): Promise<Developed>;
  close(): Promise<void>;
};
