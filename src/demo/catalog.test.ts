import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import exifr from 'exifr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { gallerySlugs, isGallerySlug, picturesOf } from '#src/demo/catalog.ts';

const folder = join(import.meta.dirname, '../../demo/pictures');
const planned = {
  'spring-cup-final': 36,
  'team-portraits': 12,
  'fan-photos': 8,
  'board-only': 6,
  'old-season': 4,
  'dual-meet': 10,
} as const;
const every = gallerySlugs.flatMap((gallery) => picturesOf(gallery).map((entry) => ({ gallery, ...entry })));

describe('the catalog of the demo', () => {
  it.each(Object.entries(planned))('plans the pictures of %s', (gallery, count) => {
    expect(picturesOf(gallery)).toHaveLength(count);
  });

  it('has no other gallery, and says so', () => {
    expect([...gallerySlugs].toSorted()).toEqual(Object.keys(planned).toSorted());
    expect(isGallerySlug('toString')).toBe(false);
    expect(() => picturesOf('summer-camp')).toThrow('summer-camp');
  });

  it('gives every picture a name of its own and keywords', () => {
    for (const gallery of gallerySlugs) {
      const entries = picturesOf(gallery);
      expect(new Set(entries.map((e) => e.name)).size).toBe(entries.length);
      expect(entries.every((e) => e.keywords.length > 0 && e.keywords.every((k) => k === k.trim() && k !== ''))).toBe(
        true,
      );
    }
  });

  it('lists the pictures in the order of their capture, each at a time of its own', () => {
    for (const gallery of gallerySlugs) {
      const times = picturesOf(gallery).map((e) => e.takenAt);
      expect(times).toEqual([...new Set(times)].toSorted());
    }
  });
});

describe('the files of the demo', () => {
  it('are exactly those of the catalog', async () => {
    for (const gallery of gallerySlugs) {
      expect((await readdir(join(folder, gallery))).toSorted()).toEqual(
        picturesOf(gallery)
          .map((e) => e.file)
          .toSorted(),
      );
    }
  });

  it.each(every)(
    '$gallery/$file is a JPEG of a camera: 2400 px or more, capture time, exposure, no place',
    async ({ gallery, file, takenAt, orientation }) => {
      const bytes = await readFile(join(folder, gallery, file));
      const header = await sharp(bytes).metadata();
      expect(header.format).toBe('jpeg');
      expect(Math.max(header.width, header.height)).toBeGreaterThanOrEqual(2400);
      expect(header.orientation ?? 1).toBe(orientation);
      const exif = await exifr.parse(bytes, {
        gps: true,
        translateValues: false,
        reviveValues: false,
      });
      expect(exif.DateTimeOriginal).toBe(takenAt.replace('T', ' ').replace(/^(\d+)-(\d+)-/, '$1:$2:'));
      expect(exif.Make).toBe('Sideline');
      expect(exif.FocalLength).toBeGreaterThan(10);
      expect(exif.ExposureTime).toBeLessThan(1 / 100);
      expect(await exifr.gps(bytes)).toBeUndefined();
    },
  );

  it('has pictures rotated both ways', () => {
    const turned = every.filter((e) => e.orientation !== 1).map((e) => e.orientation);
    expect(new Set(turned)).toEqual(new Set([6, 8]));
  });

  it('stays small enough to be cloned', async () => {
    const sizes = await Promise.all(every.map(async (e) => (await stat(join(folder, e.gallery, e.file))).size));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(32 * 1024 * 1024);
    expect(Math.max(...sizes)).toBeLessThan(1_500_000);
  });

  it.each(['lakeside-home', 'default-home'])('%s is a home image of 1278 x 500', async (name) => {
    const { width, height, format } = await sharp(join(folder, `${name}.jpg`)).metadata();
    expect({ width, height, format }).toEqual({ width: 1278, height: 500, format: 'jpeg' });
  });

  it.each(['lakeside-logo', 'hawks-logo'])('%s is a square watermark', async (name) => {
    const { width, height, format } = await sharp(join(folder, `${name}.png`)).metadata();
    expect({ width, height, format }).toEqual({ width: 512, height: 512, format: 'png' });
  });
});
