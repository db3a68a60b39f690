/** Encodes a small picture of an organization again, in the picture process: upright, in sRGB and without metadata. */
import sharp from 'sharp';
import type { RewriteRequest, RewrittenPicture } from '#src/platform/images/images.ts';

const MAX_PIXELS = 4_096 * 4_096;
const QUALITY = 88;

/** Null if the picture cannot be decoded. */
export async function rewrite({ picture, box, to }: RewriteRequest): Promise<RewrittenPicture | null> {
  try {
    const source = sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient();
    const { format, autoOrient } = await source.metadata();
    const type = to === 'kept' ? (format === 'png' ? 'png' : 'jpeg') : to;
    const sized = box ? source.resize({ ...box, fit: 'inside', withoutEnlargement: true }) : source;
    const upright = sized.toColourspace('srgb');
    const bytes = await (
      type === 'png'
        ? upright.png({ compressionLevel: 9 })
        : upright.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY, mozjpeg: true })
    ).toBuffer();
    return { bytes, type, source: { width: autoOrient.width, height: autoOrient.height } };
  } catch {
    return null;
  }
}
