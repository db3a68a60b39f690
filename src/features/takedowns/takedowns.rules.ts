/** When a photo is hidden before anyone has reviewed it, and what a decision changes. */
import * as words from '#src/features/takedowns/takedowns.contract.ts';

/** Of one asker in one gallery; further requests wait for the owners before anything is hidden. */
const HIDDEN_FIRST_PER_ASKER = 3;
const [FEWEST, MOST] = [5, 30];

type HideFirstFacts = {
  mode: words.TakedownMode;
  /** Open requests of the same asker in this gallery that hid a photo immediately. */
  hiddenOfAsker: number;
  /** The same of all askers. */
  hiddenOfGallery: number;
  /** Photos that the gallery shows, including this one. */
  shownPhotos: number;
  /** The owners have already reviewed a request for this photo, and kept it. */
  wasKept: boolean;
};

/**
 * A child's photo should not wait until someone reads their email; a whole gallery should not vanish because of one prankster.
 */
export function hidesFirst(facts: HideFirstFacts): boolean {
  return (
    facts.mode === 'hide_first' &&
    !facts.wasKept &&
    facts.hiddenOfAsker < HIDDEN_FIRST_PER_ASKER &&
    facts.hiddenOfGallery < mostHiddenFirst(facts.shownPhotos + facts.hiddenOfGallery)
  );
}

/** With any number of askers: a tenth of the gallery, but at least five and at most thirty. */
export function mostHiddenFirst(photos: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.ceil(photos / 10)));
}

export const OUTCOME = { hide: 'hidden', keep: 'kept', delete: 'deleted' } as const satisfies Record<
  words.Decision,
  words.TakedownState
>;

/** The page for asking to hide a photo. */
export function askToHidePath(photo: { affiliate: string; galleryId: number; id: number }): string {
  return `/${photo.affiliate}/gallery/${photo.galleryId}/photo/${photo.id}/hide`;
}

/** The owners' page of requests. */
export function takedownsPath(affiliate: string): string {
  return `/${affiliate}/takedowns`;
}

const ASKED = 'asked';

/** The page after a submit. @param path of our own site */
export function askedPath(path: string, problem: words.FormProblem | null): string {
  const { pathname, searchParams } = new URL(path, 'http://site.invalid');
  searchParams.set(ASKED, problem ?? 'yes');
  return `${pathname}?${searchParams}`;
}

/** Whether the page says thank you; true for every photo, so that it reveals nothing. */
export function wasRequested(search: URLSearchParams): boolean {
  return search.get(ASKED) === 'yes';
}

/** What the page says about a failed submit. */
export function formProblemOf(search: URLSearchParams): string | null {
  const word = search.get(ASKED) ?? '';
  return Object.hasOwn(words.FORM_PROBLEMS, word) ? words.FORM_PROBLEMS[word as words.FormProblem] : null;
}
