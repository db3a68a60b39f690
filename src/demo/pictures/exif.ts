/** The note that a camera leaves in its files. No place is noted: the demo has no GPS. */
import type { Exif } from 'sharp';
import type { PictureEntry } from './catalogue.ts';
import type { Scene } from './render.ts';

const shutters: Readonly<Record<string, number>> = { bright: 1600, middling: 800, dim: 500 };

/** EXIF of a picture: an invented camera, the capture time, and an exposure that fits the light of its scene. */
export function exifOf(entry: PictureEntry, scene: Scene): Exif {
  const brightness = scene.light.sun[1] + scene.light.above[1];
  const light = brightness > 2.6 ? 'bright' : brightness > 1.6 ? 'middling' : 'dim';
  const iso = light === 'bright' ? 200 : light === 'middling' ? 640 : 2500;
  const taken = entry.takenAt.replace('T', ' ').replace(/^(\d+)-(\d+)-/, '$1:$2:');
  const { focal, aperture } = scene.camera;
  return {
    IFD0: {
      Make: 'Sideline',
      Model: 'Field One',
      Software: 'Sideline demo',
      DateTime: taken,
      Orientation: String(entry.orientation),
    },
    IFD2: {
      DateTimeOriginal: taken,
      DateTimeDigitized: taken,
      ExposureTime: `1/${shutters[light] ?? 800}`,
      FNumber: `${Math.round(aperture * 10)}/10`,
      ISOSpeedRatings: String(iso),
      FocalLength: `${Math.round(focal)}/1`,
      FocalLengthIn35mmFilm: String(Math.round(focal)),
      LensModel: focal > 100 ? 'Field 70-300 f/2.8' : 'Field 24-105 f/2',
    },
  };
}
