/**
 * Pictures are decoded only in a memory-limited child process without secrets
 * (`picture-child.ts`); this is what the rest of the house sees of it.
 */
export const RENDITION_SIZES = [320, 480, 640, 1440] as const;
/** Pixels of the long side. */
export type RenditionSize = (typeof RENDITION_SIZES)[number];

/** `clean` is for members and buyers; `marked` carries the watermark. */
export type RenditionMark = 'clean' | 'marked';
export const BOTH_MARKS = ['clean', 'marked'] as const satisfies readonly RenditionMark[];
export type RenditionFormat = 'jpeg' | 'webp' | 'avif';

export type Rendition = {
  size: RenditionSize;
  mark: RenditionMark;
  format: RenditionFormat;
  width: number;
  height: number;
  /** SHA-256 of the bytes, lower-case hex. */
  sha256: string;
  bytes: Buffer;
};

/** The mark: the organisation's own picture, or its name as tiled text at 30 % (decision 48). */
export type Watermark =
  | { kind: 'text'; text: string }
  /** `name` is drawn where the mark cannot be (no PNG, damaged, nothing to see on it). */
  | { kind: 'image'; png: Buffer; placement: 'tiled' | 'centred'; name?: string };

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
};

export type DevelopRequest = {
  /** The uploaded file, whole. */
  original: Buffer;
  /** Clockwise quarter turns on top of the file's own orientation. */
  turns: 0 | 1 | 2 | 3;
  watermark: Watermark;
  /** Which sets to make; both if not said. One alone (a gallery without watermark) costs about a third less on top of decoding. */
  marks?: readonly RenditionMark[];
};

/** A developed picture, or the reason, in words for the owner, why it cannot be one. */
export type Developed =
  /** `originalSha256`: of the uploaded file as it is, lower-case hex. Renditions: every size in both marks; equal ones share `bytes`. */
  { ok: true; originalSha256: string; facts: PictureFacts; renditions: Rendition[] } | { ok: false; problem: string };

export type PictureLab = {
  /**
   * Checks the header, reads the facts and makes every rendition that ingest makes.
   * Rejects only when the child died or timed out (the job is then tried again).
   */
  develop(request: DevelopRequest): Promise<Developed>;
  close(): Promise<void>;
};
