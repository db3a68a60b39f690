/**
 * The state of one person at the tagging desk, outside React: a key changes it immediately, and the outbox stores and
 * sends the changes. Nothing waits for the server.
 */
import { burstsOf, type Bursts } from '#src/features/tagging-desk/bursts.rules.ts';
import { readCommand, type Answer, type KeyAction, type Reading } from '#src/features/tagging-desk/command.rules.ts';
import {
  isDone,
  sentence,
  tagOf,
  tagWords,
  whoWords,
  type DeskPhoto,
  type DeskPlayer,
  type DeskRoster,
  type DeskTag,
} from '#src/features/tagging-desk/desk-model.rules.ts';
import { afterUndo, afterWork, perMinute, type Pace } from '#src/features/tagging-desk/pace.rules.ts';
import {
  addTags,
  burstOf,
  changed,
  doneBy,
  firstOpen,
  hidePhoto,
  nobodyHere,
  placeAfter,
  placeBefore,
  refreshed,
  removeTag,
  reversed,
  sameAsBefore,
  seenAfter,
  type How,
  type PhotoChange,
  type SeenPhotos,
  type Step,
} from '#src/features/tagging-desk/steps.rules.ts';
import {
  ALL_TAGGED,
  hiddenUntilChecked,
  FIRST_PHOTO,
  LAST_PHOTO,
  NO_PHOTO_BEFORE,
  NO_TAGS_BEFORE,
  NOTHING_TO_TAKE,
  NOTHING_TO_UNDO,
  photoOf,
  takenWords,
} from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { PhotoPages, type DeskPage, type LoadPage } from '#src/features/tagging-desk/photo-pages.client.ts';
import { workOf, type Work } from '#src/features/tagging-desk/tag-store.client.ts';
import { UnsentPhotos } from '#src/features/tagging-desk/unsent-photos.client.ts';
import { createListeners } from '#src/shared/listeners.ts';

/** More photos are loaded when fewer than this are left. */
const AHEAD = 400;

export type DeskState = {
  photos: readonly DeskPhoto[];
  /** Index of the current photo; 0 in an empty gallery. */
  place: number;
  /** In the whole gallery. */
  total: number;
  tagged: number;
  perMinute: number | null;
  bursts: Bursts;
  text: string;
  /** The question that the typed line leaves open. */
  asked: Extract<Reading, { kind: 'question' | 'confirm' }> | null;
  /** Shown beside the field until the next key. */
  remark: string | null;
  /** A message of the server about a photo; it stays until it is closed. */
  notice: { photoId: number; text: string } | null;
  /** Announced to screen readers after a step. */
  news: string;
  mayUndo: boolean;
  isHelpOpen: boolean;
};

type Options = {
  galleryId: number;
  roster: DeskRoster;
  first: DeskPage & { done: number; total: number };
  load: LoadPage;
  send: (galleryId: number, work: readonly Work[]) => void;
  now?: () => number;
};

export class DeskSession {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #listeners = createListeners();
  readonly #steps: Step[] = [];
  readonly unsent = new UnsentPhotos();
  #answers: Answer[] = [];
  #isBurst = false;
  #pace: Pace = [];
  readonly #pages: PhotoPages;
  #state: DeskState;

  constructor(options: Options) {
    const { first } = options;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#pages = new PhotoPages(options.load, first.next);
    this.#state = {
      photos: first.photos,
      place: Math.max(0, firstOpen(first.photos)),
      total: first.total,
      tagged: first.done,
      perMinute: null,
      bursts: burstsOf(first.photos),
      text: '',
      asked: null,
      remark: null,
      notice: null,
      news: '',
      mayUndo: false,
      isHelpOpen: false,
    };
  }

  /** Called in the browser: loads the other photos. */
  start(): void {
    const { first } = this.#options;
    if (firstOpen(first.photos) === -1 && first.done < first.total) void this.#goToFirstOpen(true);
    else this.#loadAhead();
  }

  readonly watch = this.#listeners.watch;
  readonly state = (): DeskState => this.#state;

  get roster(): DeskRoster {
    return this.#options.roster;
  }

  photo(): DeskPhoto | null {
    return this.#state.photos[this.#state.place] ?? null;
  }

  type(text: string): void {
    this.#answers = [];
    this.#update({ text, asked: null, remark: null });
  }

  act(action: KeyAction): void {
    if (action.do === 'enter') this.enter(action.burst);
    else if (action.do === 'answer') this.answer(action.answer);
    else if (action.do === 'step') this.step(action.by);
    else if (action.do === 'first') void this.#goToFirstOpen(false);
    else if (action.do === 'help') this.#update({ isHelpOpen: true });
    else if (action.do === 'clear') this.type('');
    else this[action.do]();
  }

  closeHelp(): void {
    this.#update({ isHelpOpen: false });
  }

  /** ⏎ or Shift+⏎: applies the typed line. */
  enter(isBurst: boolean, text = this.#state.text): void {
    this.#isBurst = isBurst;
    this.#read(text);
  }

  answer(answer: Answer): void {
    this.#answers.push(answer);
    this.#read(this.#state.text);
  }

  /** Buttons that stand for a line: `x`, `g`. */
  say(line: string): void {
    this.type(line);
    this.enter(false);
  }

  #read(text: string): void {
    const photo = this.photo();
    if (!photo) return;
    const reading = readCommand(text, this.roster, this.#answers);
    if (reading.kind === 'question' || reading.kind === 'confirm')
      return this.#update({ text, asked: reading, remark: null });
    if (reading.kind === 'trouble') {
      this.#answers = [];
      return this.#update({ text, asked: null, remark: reading.text });
    }
    if (reading.kind === 'hide') return this.#finish(hidePhoto(photo), [photo], 'Hidden.');
    const tags = reading.kind === 'tags' ? reading.tags : this.#isBurst ? photo.tags : [];
    const photos = this.#isBurst ? burstOf(this.#state.photos, this.#state.bursts, photo) : [photo];
    this.#finish(addTags(photos, tags), photos, this.#tagged(tags, photos.length));
  }

  #tagged(tags: readonly DeskTag[], photos: number): string {
    if (tags.length === 0) return '';
    const words = whoWords(tags, this.roster);
    return sentence(photos === 1 ? `Tagged ${words}` : `Tagged ${words} on ${photos} photos`);
  }

  same(): void {
    const photo = this.photo();
    const before = this.#state.photos[this.#state.place - 1];
    if (!photo || !before) return this.#update({ remark: NO_PHOTO_BEFORE });
    const changes = sameAsBefore(photo, before);
    if (changes === null) return this.#update({ remark: NO_TAGS_BEFORE });
    this.#finish(changes, [photo], before.tags.length > 0 ? this.#tagged(before.tags, 1) : 'Nobody to name.');
  }

  nobody(): void {
    const photo = this.photo();
    if (photo) this.#finish(nobodyHere(photo), [photo], 'Nobody to name.');
  }

  /** A click on a player: adds or removes the tag, and the photo stays. */
  toggle(player: DeskPlayer): void {
    const photo = this.photo();
    if (!photo) return;
    const tag = tagOf(player);
    const changes = addTags([photo], [tag]);
    this.#apply(changes.length > 0 ? changes : removeTag(photo, tag), {
      text: '',
      asked: null,
      remark: null,
      news: sentence(`${changes.length > 0 ? 'Tagged' : 'Removed'} ${tagWords(tag, this.roster)}`),
    });
  }

  remove(tag: DeskTag): void {
    const photo = this.photo();
    if (photo) this.#apply(removeTag(photo, tag), { news: sentence(`Removed ${tagWords(tag, this.roster)}`) });
  }

  undo(): void {
    const step = this.#steps.pop();
    if (!step) return this.#update({ remark: NOTHING_TO_UNDO });
    const changes = reversed(step.changes);
    const { photos, tagged } = this.#state;
    const place = photos.findIndex(({ id }) => id === step.at);
    this.#send(changes);
    this.#pace = afterUndo(this.#pace);
    this.#answers = [];
    this.#update({
      photos: changed(photos, changes),
      tagged: tagged + doneBy(photos, changes),
      place: Math.max(0, place),
      perMinute: perMinute(this.#pace),
      text: '',
      asked: null,
      remark: null,
      news: `Undone. ${photoOf(Math.max(0, place), this.#state.total)}.`,
      mayUndo: this.#steps.length > 0,
    });
  }

  step(by: 1 | -1): void {
    const { photos, place } = this.#state;
    const to = by === 1 ? placeAfter(photos, place) : placeBefore(photos, place);
    this.#goTo(to, to === place ? { remark: by === 1 ? LAST_PHOTO : FIRST_PHOTO } : {});
  }

  /** A click in the strip. */
  open(photoId: number): void {
    const place = this.#state.photos.findIndex(({ id }) => id === photoId);
    if (place !== -1) this.#goTo(place);
  }

  /** Shows a remark beside the field. */
  remark(remark: string): void {
    this.#update({ remark });
  }

  /** Reloads who tags what and the tags of others, and continues with a run. @param run ids of its photos */
  async reload(run: readonly number[]): Promise<void> {
    if (run.length === 0) return this.#update({ remark: NOTHING_TO_TAKE });
    const last = run.at(-1) ?? 0;
    while (!this.#state.photos.some(({ id }) => id === last) && this.#pages.hasMore)
      if (!(await this.#loadNext())) break;
    if (!(await this.refresh())) return;
    const place = this.#state.photos.findIndex((photo) => run.includes(photo.id) && !isDone(photo));
    if (place !== -1) this.#goTo(place, { remark: takenWords(run.length) });
  }

  /** Reloads the photos that were loaded; false if the server did not answer. */
  async refresh(): Promise<boolean> {
    const unsent = this.unsent.ids;
    const fresh = await this.#pages.again(this.#state.photos.length);
    const changes = this.#steps.flatMap((step) => step.changes);
    const mine = new Set([...unsent, ...this.unsent.ids, ...changes.map(({ photoId }) => photoId)]);
    if (fresh) this.#update({ photos: refreshed(this.#state.photos, fresh, mine) });
    return fresh !== null;
  }

  /** Removes changes that the server refused. */
  takeBack(photoIds: ReadonlySet<number>, text: string): void {
    const mine = this.#steps.flatMap(({ changes }) => changes).filter(({ photoId }) => photoIds.has(photoId));
    const changes = reversed(mine.filter(({ add }) => add.length > 0)).map((one) => ({ ...one, add: [] }));
    const { photos, tagged } = this.#state;
    this.#update({ photos: changed(photos, changes), tagged: tagged + doneBy(photos, changes) });
    this.#notice(photoIds, text);
  }

  /** What visitors see after a batch. @param text about the photos that a consent hides */
  seen(batch: SeenPhotos, text: string): void {
    const { photos, asked, remark } = this.#state;
    const held = batch.held.length;
    const isReported = held > 0 && asked === null;
    this.#update({ photos: seenAfter(photos, batch), remark: isReported ? hiddenUntilChecked(held) : remark });
    this.#notice(new Set(batch.hidden), text);
  }

  closeNotice(): void {
    this.#update({ notice: null });
  }

  #notice(photoIds: ReadonlySet<number>, text: string): void {
    const photo = this.#state.photos.find(({ id }) => photoIds.has(id));
    if (photo) this.#update({ notice: { photoId: photo.id, text } });
  }

  #finish(changes: readonly PhotoChange[], photos: readonly DeskPhoto[], news: string): void {
    const { place, photos: all, total } = this.#state;
    const next = placeAfter(all, place, new Set(photos.map(({ id }) => id)));
    this.#answers = [];
    this.#apply(changes, {
      place: next,
      text: '',
      asked: null,
      remark: next === place ? LAST_PHOTO : null,
      news: `${news} ${photoOf(next, total)}.`.trim(),
    });
    this.#loadAhead();
  }

  #apply(changes: readonly PhotoChange[], state: Partial<DeskState>): void {
    const { photos, tagged } = this.#state;
    const photo = this.photo();
    if (changes.length === 0 || !photo) return this.#update(state);
    this.#steps.push({ at: photo.id, changes });
    this.#send(changes, changes.length > 1 ? 'burst' : 'hand');
    const done = doneBy(photos, changes);
    this.#pace = afterWork(this.#pace, this.#now(), Math.max(done, 0));
    this.#update({
      photos: changed(photos, changes),
      tagged: tagged + done,
      perMinute: perMinute(this.#pace),
      mayUndo: true,
      ...state,
    });
  }

  #send(changes: readonly PhotoChange[], how: How = 'hand'): void {
    const work = this.unsent.sent(workOf(changes, how));
    this.#options.send(this.#options.galleryId, work);
  }

  #goTo(place: number, state: Partial<DeskState> = {}): void {
    this.#answers = [];
    this.#update({
      place,
      text: '',
      asked: null,
      remark: null,
      news: `${photoOf(place, this.#state.total)}.`,
      ...state,
    });
    this.#loadAhead();
  }

  async #goToFirstOpen(isQuiet: boolean): Promise<void> {
    while (firstOpen(this.#state.photos) === -1 && this.#pages.hasMore) if (!(await this.#loadNext())) break;
    const place = firstOpen(this.#state.photos);
    if (place !== -1) this.#goTo(place, isQuiet ? { news: '' } : {});
    else if (!isQuiet) this.#update({ remark: ALL_TAGGED });
  }

  #loadAhead(): void {
    const { photos, place } = this.#state;
    if (photos.length - place <= AHEAD && this.#pages.hasMore)
      void this.#loadNext().then((isLoaded) => {
        if (isLoaded) this.#loadAhead();
      });
  }

  async #loadNext(): Promise<boolean> {
    const page = await this.#pages.next();
    if (page === null) return false;
    const known = new Set(this.#state.photos.map(({ id }) => id));
    const photos = [...this.#state.photos, ...page.filter(({ id }) => !known.has(id))];
    this.#update({ photos, bursts: burstsOf(photos) });
    return true;
  }

  #update(change: Partial<DeskState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listeners.emit();
  }
}
