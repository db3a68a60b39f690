/** The owner's review in the browser: waiting photos, the current photo, and decisions that can be undone. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  approvedWords,
  photosOf,
  type DecidedAnswer,
  type DecisionBody,
  type WaitingContributor,
  type WaitingPage,
  type WaitingPhoto,
} from '#src/features/contributors/contributors.contract.ts';
import {
  afterRemoval,
  groupsOf,
  newestOf,
  restored,
  type ReviewGroup,
} from '#src/features/contributors/review.rules.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { api } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';
import { showToast } from '#src/ui/toast.ts';

/** The next page is loaded when only this many photos are left. */
const PREFETCH_BELOW = 12;
/** How often a photo that is processing is polled. */
const POLL_EVERY_MS = 2_000;
/** The call's limit of ids. */
const MOST_IDS = 500;

export type Review = {
  groups: ReviewGroup[];
  current: WaitingPhoto | null;
  next: WaitingPhoto | null;
  person: WaitingContributor | null;
  /** Of the whole gallery. */
  left: number;
  /** Announced to screen readers after a decision. */
  news: string;
  isBusy: boolean;
  mayUndo: boolean;
  /** False while the photo is processing. */
  mayApprove: boolean;
  choose: (id: number) => void;
  step: (by: 1 | -1) => void;
  approve: () => void;
  approvePerson: () => void;
  /** True when it was carried out. */
  reject: () => Promise<boolean>;
  /** The same for all of the person's photos. */
  rejectPerson: () => Promise<boolean>;
  undo: () => void;
};

type Approved = { ids: readonly number[]; photos: readonly WaitingPhoto[] };

export function useReview(galleryId: number, first: WaitingPage): Review {
  const waiting = useWaiting(galleryId, first);
  const { photos, people, current, person, setCurrentId, removeFromList } = waiting;
  const [approved, setApproved] = useState<readonly Approved[]>([]);
  const [news, setNews] = useState('');
  const { isBusy, decide } = useDecision(galleryId);

  async function approve(body: DecisionBody, what: (count: number) => string): Promise<void> {
    if (isBusy) return;
    const decided = await decide(body);
    if (decided === null) return;
    const { ids, hidden = [], note } = decided;
    // Someone else may have decided meanwhile; then it still leaves the list.
    const gone = ids.length === 0 ? (body.ids ?? []) : ids;
    setApproved((list) => [...list, { ids, photos: removeFromList(gone) }]);
    const sentences = [
      approvedWords(what(ids.length), hidden.length, ids.length),
      ...(note === undefined ? [] : [note]),
    ];
    if (hidden.length > 0 || note !== undefined) showToast(sentences.join(' '), 'info');
    else setNews(sentences.join(' '));
  }

  async function undo(): Promise<void> {
    const last = approved.at(-1);
    if (!last || isBusy) return;
    for (let start = 0; start < last.ids.length; start += MOST_IDS) {
      const done = await decide({ decision: 'wait', ids: last.ids.slice(start, start + MOST_IDS) });
      if (done === null) return;
    }
    setApproved((list) => list.slice(0, -1));
    waiting.restoreToList(last.photos, last.ids.length);
    setNews('Undone.');
  }

  async function reject(body: DecisionBody, what: (count: number) => string): Promise<boolean> {
    if (isBusy) return false;
    const decided = await decide(body);
    if (decided === null) return false;
    removeFromList(body.ids ?? decided.ids);
    setNews(what(decided.ids.length));
    return true;
  }
  const ofPerson = (of: WaitingContributor) => ({ contributor_id: of.id, up_to: newestOf(of, photos, people) });

  return {
    groups: groupsOf(photos, people),
    current,
    next: waiting.following,
    person,
    left: waiting.left,
    news,
    isBusy,
    mayUndo: approved.length > 0,
    mayApprove: !isBusy && current?.status === 'ready',
    choose: setCurrentId,
    step: (by) => setCurrentId((id) => photos[photos.findIndex((photo) => photo.id === id) + by]?.id ?? id),
    approve: () => {
      if (current?.status === 'ready') void approve({ decision: 'approve', ids: [current.id] }, () => current.name);
    },
    approvePerson: () => {
      if (!person) return;
      const whose = (count: number) => photosOf(person.name, count);
      void approve({ decision: 'approve', ...ofPerson(person) }, whose);
    },
    async reject() {
      if (!current) return false;
      return reject({ decision: 'reject', ids: [current.id] }, () => `${current.name} was removed.`);
    },
    async rejectPerson() {
      if (!person) return false;
      const whose = (count: number) => `${photosOf(person.name, count)} ${count === 1 ? 'was' : 'were'} removed.`;
      return reject({ decision: 'reject', ...ofPerson(person) }, whose);
    },
    undo: () => void undo(),
  };
}

/** The loaded waiting photos, and the current one. */
function useWaiting(galleryId: number, first: WaitingPage) {
  const [photos, setPhotos] = useState<readonly WaitingPhoto[]>(first.photos);
  const [people, setPeople] = useState(() => new Map(first.contributors.map((person) => [person.id, person])));
  const [left, setLeft] = useState(first.total);
  const [currentId, setCurrentId] = useState(first.photos[0]?.id ?? null);
  const [next, setNext] = useState(first.next);

  const place = photos.findIndex(({ id }) => id === currentId);
  const current = photos[place] ?? null;

  useNextPage(galleryId, next, photos.length - Math.max(place, 0), (page) => {
    const { photos: later, contributors } = page;
    setPhotos((known) => [...known, ...later.filter(({ id }) => !known.some((photo) => photo.id === id))]);
    setPeople((known) => new Map([...known, ...contributors.map((person) => [person.id, person] as const)]));
    setCurrentId((id) => id ?? later[0]?.id ?? null);
    setNext(page.next);
  });

  function removeFromList(ids: readonly number[]): readonly WaitingPhoto[] {
    const gone = new Set(ids);
    setPhotos((known) => known.filter(({ id }) => !gone.has(id)));
    setCurrentId(afterRemoval(photos, currentId, gone));
    setLeft((count) => Math.max(0, count - ids.length));
    return photos.filter(({ id }) => gone.has(id));
  }

  useWhenProcessed(galleryId, current?.status === 'processing' ? current.id : null, (id, fact) => {
    if (fact?.status !== 'ready') return void removeFromList([id]);
    const { width, height, thumbhash } = fact;
    const ready = { status: 'ready', width, height, thumbhash } as const;
    setPhotos((known) => known.map((photo) => (photo.id === id ? { ...photo, ...ready } : photo)));
  });

  return {
    photos,
    people,
    left,
    current,
    person: current === null ? null : (people.get(current.contributor_id) ?? null),
    following: photos[place + 1] ?? null,
    setCurrentId,
    removeFromList,
    restoreToList(back: readonly WaitingPhoto[], count: number): void {
      setPhotos((known) => restored(known, back));
      setLeft((now) => now + count);
      setCurrentId(back[0]?.id ?? currentId);
    },
  };
}

/** Loads the next page before the photos run out: `ahead`: loaded photos after the current one. */
function useNextPage(galleryId: number, next: string | null, ahead: number, onPage: (page: WaitingPage) => void): void {
  const isFetching = useRef(false);
  const take = useEffectEvent(onPage);
  useEffect(() => {
    if (next === null || isFetching.current || ahead > PREFETCH_BELOW) return;
    isFetching.current = true;
    const call = { params: { id: galleryId }, query: { after: next } };
    void api('GET /api/v1/galleries/{id}/contributions', call).then((answer) => {
      isFetching.current = false;
      if (answer.ok) take(answer.data);
      else showToast(answer.error, 'error');
    });
  }, [galleryId, next, ahead]);
}

function useDecision(galleryId: number) {
  const [isBusy, setBusy] = useState(false);

  /** Null when it was refused; then nothing changes. */
  async function decide(body: DecisionBody): Promise<DecidedAnswer | null> {
    setBusy(true);
    const answer = await api('PUT /api/v1/galleries/{id}/contributions', { params: { id: galleryId }, body });
    setBusy(false);
    if (answer.ok) return answer.data;
    showToast(answer.error, 'error');
    return null;
  }

  return { isBusy, decide };
}

/** Polls a photo that is processing: once ready it is shown; failed or removed, it leaves the list. */
function useWhenProcessed(
  galleryId: number,
  photoId: number | null,
  onDone: (id: number, fact: PhotoFact | undefined) => void,
): void {
  const poll = async (id: number, signal: AbortSignal) => {
    const answer = await api('GET /api/v1/galleries/{id}/photo_facts', {
      params: { id: galleryId },
      query: { ids: id },
      signal,
    });
    const fact = answer.ok ? answer.data.photos[0] : undefined;
    if (answer.ok && fact?.status !== 'processing') onDone(id, fact);
  };
  useRepeated(POLL_EVERY_MS, photoId === null ? null : (signal) => poll(photoId, signal));
}
