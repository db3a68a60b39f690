/**
 * Makes small pictures of organizations (logos, banners, watermarks) safe to serve: each is decoded and re-encoded. The
 * upload is decoded in a picture process, which ends after the picture, because such uploads are rare.
 */
import { checkHeader, pngSize } from '#src/platform/images/header-check.ts';
import type { RewriteRequest } from '#src/platform/images/images.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { problem } from '#src/shared/problem.ts';

type PictureHeader = { type: 'png' | 'jpeg'; width: number; height: number };

export type PictureRewriter = ReturnType<typeof openPictureRewriter>;

const LIMITS = { concurrency: 1, timeoutMs: 10_000, maxMegabytes: 400, idleMs: 0 };
const MAX_PENDING = 12;

/**
 * What the first bytes say; null for anything but PNG and JPEG, and for JPEGs that are damaged or unusual. Nothing is
 * decoded.
 */
export function pictureHeader(bytes: Buffer): PictureHeader | null {
  const png = pngSize(bytes);
  if (png) return png.width > 0 && png.height > 0 ? { type: 'png', ...png } : null;
  const jpeg = checkHeader(bytes);
  return jpeg.ok ? { type: 'jpeg', width: jpeg.header.width, height: jpeg.header.height } : null;
}

export function openPictureRewriter() {
  const lab = openPictureLab(LIMITS);
  const limit = createConcurrencyLimit({ atOnce: MAX_PENDING, waiting: 0, full: unavailable });
  return {
    /** Null when it cannot be decoded. @throws unavailable when many are waiting or the process fails */
    rewrite: (picture: Buffer, order: Omit<RewriteRequest, 'picture'>) =>
      limit.run(() =>
        lab.rewrite({ picture, ...order }).catch(() => {
          throw unavailable();
        }),
      ),
  };
}

function unavailable() {
  return problem('unavailable', 'We can’t process this image right now. Please try again.', { retryAfterSeconds: 5 });
}
