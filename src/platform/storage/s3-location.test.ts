import { describe, expect, test } from 'vitest';
import { keyOfS3Location, s3Bases, type S3Place } from '#src/platform/storage/s3-storage.ts';

const amazon: S3Place = { bucket: 'photos', endpoint: null, region: 'us-east-2', forcePathStyle: false };
const own: S3Place = {
  bucket: 'photos',
  endpoint: 'https://store.example:9000',
  region: 'us-east-2',
  forcePathStyle: true,
};
const byAddress: S3Place = { ...own, endpoint: 'http://127.0.0.1:7480' };

describe('locations of an S3 store', () => {
  test.each<[S3Place, string, string | null]>([
    [amazon, 'https://photos.s3.us-east-2.amazonaws.com/uploads%2F1%2Fa.jpg', 'uploads/1/a.jpg'],
    [amazon, 'https://photos.s3.amazonaws.com/uploads/1/a.jpg', 'uploads/1/a.jpg'],
    [amazon, 'https://s3.us-east-2.amazonaws.com/photos/uploads/1/a.jpg', 'uploads/1/a.jpg'],
    [amazon, 'https://others.s3.us-east-2.amazonaws.com/uploads/1/a.jpg', null],
    [amazon, 'https://photos.s3.us-east-2.amazonaws.com.evil.example/uploads/1/a.jpg', null],
    [own, 'https://store.example:9000/photos/uploads%2F1%2Fa.jpg', 'uploads/1/a.jpg'],
    [own, 'https://photos.store.example:9000/uploads/1/a.jpg', 'uploads/1/a.jpg'],
    [own, 'https://store.example:9000/others/uploads/1/a.jpg', null],
    [own, 'https://store.example/photos/uploads/1/a.jpg', null],
    [own, 'https://store.example:9000/photos/uploads/1/a.jpg?versionId=1', null],
    [byAddress, 'http://127.0.0.1:7480/photos/uploads%2F1%2Fa.jpg', 'uploads/1/a.jpg'],
    [byAddress, 'http://127.0.0.1:7480/others/a.jpg', null],
    [byAddress, 'http://127.0.0.1:7480/photos/%2e%2e%2fothers/a.jpg', null],
  ])('%o: %s names %s', (place, location, key) => {
    expect(keyOfS3Location(location, s3Bases(place))).toBe(key);
  });

  test.each<[S3Place, string]>([
    [amazon, 'https://photos.s3.us-east-2.amazonaws.com/'],
    [{ ...amazon, forcePathStyle: true }, 'https://s3.us-east-2.amazonaws.com/photos/'],
    [own, 'https://store.example:9000/photos/'],
    [{ ...own, forcePathStyle: false }, 'https://photos.store.example:9000/'],
  ])('%o: objects are below %s', (place, base) => {
    expect(s3Bases(place)[0]?.href).toBe(base);
  });
});
