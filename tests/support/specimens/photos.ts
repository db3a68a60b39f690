import type { ListedPhoto } from '#src/ui/photos/photo-sources.ts';

const SHAPES = [
  [3000, 2000],
  [2000, 3000],
  [3000, 2000],
  [4000, 3000],
  [2400, 2400],
  [3000, 2000],
  [2000, 3000],
  [6000, 2000],
  [3000, 2000],
  [3000, 2000],
  [2000, 3000],
  [3000, 2250],
] as const;

/** Not real pictures: shapes of a day at the field, with thumbhashes of grass and sky. */
const HASHES = [
  '2fcZFIB3iId/h3iJh4aIYJ2V8g==',
  '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  '3OcRJYB4d3h/iIeHeEh3eIhw+j3A',
  'YJqGPQw7sFlslqhFafSE+Q6oJ1h2iHB2Rw==',
];

/** @param count how many */
export function specimenPhotos(count: number): ListedPhoto[] {
  return Array.from({ length: count }, (_, index) => {
    const [width, height] = SHAPES[index % SHAPES.length] ?? [3, 2];
    return {
      id: index + 1,
      imageUrl: `/pixels/${width}x${height}/${index}`,
      width,
      height,
      thumbhash: HASHES[index % HASHES.length] ?? null,
      alt: `Photo ${index + 1}`,
    };
  });
}
