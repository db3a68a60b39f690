import { lazy, Suspense, useState, type ReactNode, type FormEvent } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { rotatePhotos } from '#src/features/photo-editor/rotating.client.ts';
import { staysInList, setPhotosShown, undoShown } from '#src/features/photo-editor/showing.client.ts';
import { changePhotos, removePhotos, type ManyChanges } from '#src/features/photos/photo-calls.client.ts';
import { photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { bulkChangesBody, removeManyQuestion } from '#src/features/photo-editor/photo-editor.contract.ts';
import type { PhotoSelection } from '#src/features/photo-editor/selection.client.ts';
import { cx } from '#src/ui/cx.ts';
import { useFocusAfter } from '#src/ui/use-focus-after.ts';
import { DollarSign, Eye, EyeOff, Images, RotateCw, Tag, Trash, Users, X } from '#src/ui/icon.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { showToast, type ToastAction } from '#src/ui/toast.ts';
import { NO_NOTE, SelectionNote } from '#src/features/photos/ui/selection-note.tsx';
import { REMOVE_PHOTO_QUESTION, REMOVE_PHOTO_TITLE } from '#src/features/photos/photos.contract.ts';
import { typedDollars } from '#src/shared/form-values.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { useForm } from '#src/web/use-form.ts';

// Rarely needed, so it is loaded with the press.
const MovePhotos = lazy(() =>
  import('#src/features/photo-editor/ui/move-photos.tsx').then((module) => ({ default: module.MovePhotos })),
);

/** The dialog for tagging the selected photos, from a module above this one. */
export type TagMany = (chosen: {
  ids: readonly number[];
  onClose: () => void;
  onDone: (news: string, hidden: readonly number[], back?: ToastAction | null) => void;
}) => ReactNode;

type SelectionBarProps = {
  pages: EditorPhotos;
  selection: PhotoSelection;
  onChanged: () => void;
  onNews: (words: string) => void;
  tagMany?: TagMany | undefined;
};

/** Actions for all selected photos; shown as soon as one is selected. */
export function SelectionBar({ pages, selection, onChanged, onNews, tagMany }: SelectionBarProps) {
  const [dialog, setDialog] = useState<ManyDialog | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useState(NO_NOTE);
  const bar = useFocusAfter(photoOf);
  const ids = [...selection.ids];
  if (ids.length === 0) {
    if (note !== NO_NOTE) setNote(NO_NOTE);
    return null;
  }

  /**
   * The photos stay selected, because often there is more to do: the next keyword, then the price. If they left the list, this
   * bar disappears with them, and a toast has what undoes it. Otherwise it would cover the buttons.
   */
  function done(news: string, back: ToastAction | null = null, isLeft = true): void {
    if (!isLeft) showToast(news, 'success', back);
    showNote(news, back);
  }

  function showNote(news: string, back: ToastAction | null = null): void {
    setDialog(null);
    setNote({ news, back });
    onNews(news);
    onChanged();
  }

  /**
   * @param hidden photos that a child's consent hides now. If all selected photos leave the list, this bar disappears with
   * them, and only the toast is left.
   */
  function tagged(news: string, hidden: readonly number[], back: ToastAction | null = null): void {
    const isLeft = hidden.length < ids.length || staysInList(pages, false);
    pages.setShown(hidden, false);
    pages.refresh(ids);
    showNote(news, back);
    if (!isLeft) showToast(news, 'success', back);
  }

  function clear(): void {
    setNote(NO_NOTE);
    selection.clear();
    if (pages.view.show === 'withoutKeywords') pages.refresh();
  }

  return (
    <section
      ref={bar}
      aria-label="Chosen photos"
      className="sticky bottom-4 z-20 mx-auto flex w-full max-w-4xl flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-line-strong bg-surface px-3 py-2 shadow-xl max-sm:px-1 max-md:bottom-[calc(4rem+var(--tray-height,0px))]"
    >
      <SelectionNote {...note} className="max-sm:pl-1">
        {photosInWords(ids.length)} selected
      </SelectionNote>
      <IconButton label="Clear selection" onClick={clear} className="max-sm:order-first">
        <X aria-hidden="true" />
      </IconButton>
      <Actions
        disabled={isBusy || selection.isChoosingAll}
        hasTags={tagMany !== undefined}
        onShow={(shown) => void showThese({ pages, ids, setBusy, done }, shown)}
        onRotate={() => void rotateThese({ pages, selection, setBusy, setNote, showNote }, picturesOf(pages, ids), 1)}
        onDialog={setDialog}
      />
      {(dialog === 'keywords' || dialog === 'price') && (
        <ChangeMany key={dialog} what={dialog} pages={pages} ids={ids} onClose={() => setDialog(null)} onDone={done} />
      )}
      <Suspense>
        {dialog === 'tags' && tagMany?.({ ids, onClose: () => setDialog(null), onDone: tagged })}
        {dialog === 'move' && <MovePhotos pages={pages} ids={ids} onClose={() => setDialog(null)} onDone={showNote} />}
      </Suspense>
      {dialog === 'remove' && (
        <RemoveMany
          pages={pages}
          ids={ids}
          onClose={() => setDialog(null)}
          onDone={(news) => done(news, null, false)}
        />
      )}
    </section>
  );
}

/** The photo that Tab reaches. */
const photoOf = (around: Element | null) => around?.querySelector<HTMLElement>('[data-main][tabindex="0"]') ?? null;

/** Others moved or removed some of the photos in another window: only those that are still there are counted. */
const newsOf = (count: number, words: (photos: string) => string) =>
  count === 0 ? 'These photos are no longer in this gallery.' : words(photosInWords(count));

const shownWords = (count: number, shown: boolean) =>
  newsOf(count, (photos) => `${photos} ${count === 1 ? 'is' : 'are'} ${shown ? 'in the gallery' : 'hidden'}.`);

type Showing = {
  pages: EditorPhotos;
  ids: readonly number[];
  setBusy: (isBusy: boolean) => void;
  done: (news: string, back?: ToastAction | null, isLeft?: boolean) => void;
};

async function showThese({ pages, ids, setBusy, done }: Showing, shown: boolean): Promise<void> {
  const chosen = new Set(ids);
  const changed = pages.cells.filter((cell) => chosen.has(cell.id) && cell.shown !== shown).map(({ id }) => id);
  setBusy(true);
  const count = await setPhotosShown(pages, ids, shown);
  setBusy(false);
  if (count === null) return;
  // Photos that are withheld on request stay hidden.
  if (shown) pages.refresh();
  const back = undoShown(pages, changed, shown, () => done(shownWords(changed.length, !shown)));
  const canUndo = count > 0 && changed.length > 0;
  done(shownWords(count, shown), canUndo ? back : null, staysInList(pages, shown));
}

type Rotation = {
  pages: EditorPhotos;
  selection: PhotoSelection;
  setBusy: (isBusy: boolean) => void;
  setNote: (note: typeof NO_NOTE) => void;
  showNote: (news: string, back: ToastAction | null) => void;
};

/** Clockwise, or with 3 turns back. */
async function rotateThese(bar: Rotation, wanted: readonly number[], turns: 1 | 3): Promise<void> {
  const words = photosInWords(wanted.length);
  const onProgress = (count: number) => bar.setNote({ news: `Rotating ${count} of ${words}...`, back: null });
  bar.setBusy(true);
  onProgress(0);
  const { rotated, unknown, error } = await rotatePhotos(bar.pages, wanted, { turns, onProgress });
  bar.setBusy(false);
  if (error !== null) {
    // Pressed again, the button goes on with the others, and rotates none twice.
    if (turns === 1) for (const id of [...rotated, ...unknown]) bar.selection.toggle(id);
    showToast(unknown.length === 0 ? error : `${error} ${mayBeRotatedWords(unknown.length)}`, 'error');
  }
  if (turns === 3) return bar.showNote(`${photosInWords(rotated.length)} rotated back.`, null);
  const back = { label: 'Undo', act: () => void rotateThese(bar, rotated, 3) };
  bar.showNote(rotatedWords(rotated.length, wanted.length, unknown.length), rotated.length === 0 ? null : back);
}

/** Those that are not damaged. */
function picturesOf({ cells }: EditorPhotos, ids: readonly number[]): number[] {
  const damaged = new Set(cells.filter(({ failed }) => failed).map(({ id }) => id));
  return ids.filter((id) => !damaged.has(id));
}

const rotatedWords = (rotated: number, wanted: number, unknown: number) => {
  if (rotated === wanted) return `${photosInWords(wanted)} rotated.`;
  return `${rotated} of ${photosInWords(wanted)} rotated${unknown === 0 ? '; the others are still selected' : ''}.`;
};

const mayBeRotatedWords = (count: number) =>
  `${photosInWords(count)} may have been rotated, and ${count === 1 ? 'is' : 'are'} no longer selected: please check.`;

type ManyDialog = 'tags' | 'keywords' | 'price' | 'move' | 'remove';
type ActionsProps = {
  disabled: boolean;
  hasTags: boolean;
  onShow: (shown: boolean) => void;
  onRotate: () => void;
  onDialog: (dialog: ManyDialog) => void;
};

function Actions({ disabled, hasTags, onShow, onRotate, onDialog }: ActionsProps) {
  const action = (icon: ReactNode, label: string, onClick: () => void) => (
    <Action icon={icon} disabled={disabled} isDanger={label === 'Delete'} onClick={onClick}>
      {label}
    </Action>
  );
  return (
    <div className="flex flex-wrap gap-1 max-lg:w-full max-lg:justify-between max-sm:gap-0">
      {action(<Eye />, 'Show', () => onShow(true))}
      {action(<EyeOff />, 'Hide', () => onShow(false))}
      {hasTags && action(<Users />, 'Tag…', () => onDialog('tags'))}
      {action(<Tag />, 'Keywords', () => onDialog('keywords'))}
      {action(<DollarSign />, 'Price', () => onDialog('price'))}
      {action(<RotateCw />, 'Rotate', onRotate)}
      {action(<Images />, 'Move…', () => onDialog('move'))}
      {action(<Trash />, 'Delete', () => onDialog('remove'))}
    </div>
  );
}

type ActionProps = {
  icon: ReactNode;
  isDanger?: boolean;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
};

function Action({ icon, isDanger = false, disabled, onClick, children }: ActionProps) {
  return (
    <button
      type="button"
      // Disabled, it would lose the focus with each press.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={cx(
        'flex min-h-11 min-w-10 max-sm:min-w-[max(25%,4.2rem)] items-center gap-2 rounded px-3 text-sm font-semibold whitespace-nowrap hover:bg-sunken aria-disabled:opacity-60 max-lg:flex-col max-lg:gap-0.5 max-lg:px-0.5 max-lg:text-xs [&_svg]:size-4.5 [&_svg]:shrink-0',
        isDanger && 'text-danger',
      )}
    >
      <span aria-hidden="true" className="contents">
        {icon}
      </span>
      {children}
    </button>
  );
}

type ManyProps = {
  pages: EditorPhotos;
  ids: readonly number[];
  onClose: () => void;
  /** Called with the result as text. */
  onDone: (news: string) => void;
};

type ManyForm = {
  title: string;
  field: typeof TextField | typeof MoneyField;
  label: (words: string) => string;
  placeholder?: string;
  hint: string;
  action: string;
  busy: string;
  /** The request for what is typed; the contract checks it. */
  sent: (text: string) => Record<string, unknown>;
  news: (words: string) => string;
};

const FORMS: Record<'keywords' | 'price', ManyForm> = {
  keywords: {
    title: 'Add keywords',
    field: TextField,
    label: (words) => `Keywords for ${words}`,
    hint: 'Separate several with commas. Existing keywords stay.',
    action: 'Add keywords',
    busy: 'Adding...',
    sent: (text) => ({ add_keywords: [text] }),
    news: (words) => `Keywords added to ${words}.`,
  },
  price: {
    title: 'Set price',
    field: MoneyField,
    label: (words) => `Price of ${words}`,
    placeholder: 'Same as the gallery',
    hint: 'Leave blank to use the gallery’s price.',
    action: 'Save price',
    busy: 'Saving...',
    sent: (text) => ({ photo: { price_override: typedDollars(text) } }),
    news: (words) => `${words} repriced.`,
  },
};

/** One text for all selected photos. */
function ChangeMany({ what, pages, ids, onClose, onDone }: ManyProps & { what: keyof typeof FORMS }) {
  const { field: Input, placeholder, ...words } = FORMS[what];
  const photos = photosInWords(ids.length);
  const parse = (text: string) => bulkChangesBody.safeParse({ ids: ids.slice(0, 1), ...words.sent(text) });
  const form = useForm({ text: '' }, ({ text }) => errorsOf(parse(text).error));

  async function save(): Promise<void> {
    const { photo, add_keywords: keywords } = parse(form.values.text).data ?? {};
    const changes: ManyChanges = {
      ...(photo?.price_override === undefined ? {} : { price_override: photo.price_override }),
      ...(keywords === undefined ? {} : { add_keywords: keywords }),
    };
    const saved = await form.send(() => changePhotos(pages.galleryId, ids, changes));
    if (!saved) return;
    const updated = saved.data;
    if (updated < ids.length) pages.refresh();
    else pages.renew([]);
    onDone(newsOf(updated, words.news));
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void save();
  }

  return (
    <Dialog open title={words.title} onClose={onClose}>
      <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-4 pb-2">
        <Input
          label={words.label(photos)}
          hint={words.hint}
          {...(placeholder === undefined ? {} : { placeholder })}
          data-autofocus=""
          {...form.field('text')}
          errors={Object.values(form.errors).flat()}
        />
        <Button type="submit" busy={form.isSending && words.busy} className="self-end">
          {words.action}
        </Button>
      </form>
    </Dialog>
  );
}

/** Asks once with the number of photos; buyers keep their downloads. */
function RemoveMany({ pages, ids, onClose, onDone }: ManyProps) {
  const words = photosInWords(ids.length);
  return (
    <ConfirmCall
      title={ids.length === 1 ? REMOVE_PHOTO_TITLE : `Remove ${words}?`}
      confirmLabel={`Remove ${words}`}
      busy="Removing..."
      call={() => removePhotos(pages.galleryId, ids)}
      onDone={(removed) => {
        pages.remove(ids);
        onDone(newsOf(removed, (photos) => `${photos} removed.`));
      }}
      onCancel={onClose}
    >
      {ids.length === 1 ? REMOVE_PHOTO_QUESTION : removeManyQuestion(ids.length)}
    </ConfirmCall>
  );
}
