import { useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { photoPath, type GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { GalleryOutlet } from '#src/features/public-gallery/ui/gallery-outlet.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { nextToAsk, type KnownPhoto } from '#src/features/public-gallery/stage-photos.rules.ts';

/** Photos beyond the loaded ones that are worth loading as a list; farther away, neighbors are asked for one by one. */
const FAR = 100;
/** The list is loaded on when so few photos of it are left. */
const AHEAD = 6;

export type OpenedPhoto = KnownPhoto & { index: number; total: number };

export type StagePhotos = {
  /** Of the photo on the stage. */
  index: number;
  setIndex: (index: number) => void;
  total: number;
  /** Null for photos that are not loaded yet. */
  photoAt: (index: number) => ShownPhoto | null;
  /** Whether places are those of the gallery's tiles. */
  hasList: boolean;
};

/**
 * The photos that the lightbox walks through: the list that the gallery has loaded, loaded on ahead; with a search what was found.
 * A photo that was opened by a link and stands far behind that list is walked from by its neighbors.
 *
 * @param opened what the server told of the photo; null for one of the list
 */
export function useStagePhotos(
  { pages, place }: Pick<GalleryOutlet, 'pages' | 'place'>,
  opened: OpenedPhoto | null,
  photoId: number,
): StagePhotos {
  const [index, setIndex] = useState(() => {
    const inList = pages.photos.findIndex(({ id }) => id === photoId);
    return inList === -1 ? (opened?.index ?? 0) : inList;
  });
  const [first] = useState(index);
  const [known, setKnown] = useState<ReadonlyMap<number, KnownPhoto>>(
    () => new Map(opened ? [[opened.index, opened]] : []),
  );
  // A link may open a photo that its search does not find: then only its neighbors are walked.
  const hasList = pages.isComplete && (pages.photos[first]?.id ?? photoId) === photoId;
  const total = hasList ? pages.total : (opened?.total ?? pages.total);
  const photoAt = (at: number) => (hasList ? pages.photos[at] : undefined) ?? known.get(at)?.photo ?? null;

  const { until, next } = pages;
  const count = pages.photos.length;
  const listGoesOn = hasList && next !== null && index - count < FAR;
  const wantsMore = listGoesOn && index + AHEAD >= count;
  useEffect(() => {
    if (wantsMore) void until(index + AHEAD);
  }, [wantsMore, index, until]);

  const { load, state, data } = useFetcher<OpenedPhoto | null>();
  if (data && known.get(data.index) !== data) setKnown(new Map(known).set(data.index, data));
  const isComing = (at: number) => listGoesOn && at >= count && at - count < FAR;
  const asked = nextToAsk({ index, total, photoAt, known, isComing });
  // What fails once waits for the next press.
  const lastAsked = useRef('');
  useEffect(() => {
    const question = `${asked} beside ${index}`;
    if (asked === null || state !== 'idle' || lastAsked.current === question) return;
    lastAsked.current = question;
    void load(neighborsPath(place, asked));
  }, [asked, index, state, load, place]);

  return { index, setIndex, total, photoAt, hasList };
}

/** The photo's own page, asked for its neighbors also when the photo itself is here. */
function neighborsPath(place: GalleryPlace, photoId: number): string {
  const path = photoPath(place, photoId);
  return `${path}${path.includes('?') ? '&' : '?'}neighbors=1`;
}
