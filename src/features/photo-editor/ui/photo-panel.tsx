import {
  useEffect,
  useLayoutEffect,
  useRef,
  useMemo,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { cleanAddress, memberPicture, saveCleanPicture } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { INGEST_FAILED, PICTURE_UNREADABLE, type PhotoChanges } from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { useKeywording, type Keywording } from '#src/features/photo-editor/keywording.client.ts';
import { NamePriceForm, type SaveOnLeave } from '#src/features/photos/ui/name-price-form.tsx';
import { PhotoKeywords } from '#src/features/photo-editor/ui/photo-keywords.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { ChevronLeft, ChevronRight, RotateCw, Trash, X, Download } from '#src/ui/icon.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { ratioOf, renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { Spinner } from '#src/ui/spinner.tsx';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import type { TileActions } from '#src/features/photo-editor/ui/editor-tile.tsx';
import { dollarText } from '#src/shared/money.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { showToast } from '#src/ui/toast.ts';

/** Below this width the panel fills the window. */
const BESIDE = '(width >= 64rem)';

type PhotoPanelProps = {
  /** Undefined while it is loading. */
  photo: PhotoFact | undefined;
  /** The photos before and after it, preloaded so that the next one is shown immediately. */
  beside: readonly PhotoFact[];
  /** From 0. */
  index: number;
  total: number;
  keywording: Keywording;
  onStep: (step: 1 | -1) => void;
  onClose: () => void;
  onChanged: (photo: PhotoFact, answer: PhotoFact, changes: PhotoChanges) => void;
  onRemove: (photo: PhotoFact) => void;
  onRotate: (photo: PhotoFact) => void;
  /** Notes of other modules about a photo. */
  note: NoteOnPhoto | undefined;
};
export type NoteOnPhoto = (photo: PhotoFact) => ReactNode;

/**
 * One photo at a time: beside the grid on wide screens, over the whole window on phones. Made for adding keywords: the field
 * keeps the focus from photo to photo, Enter adds what is typed, and Enter in the empty field moves to the next photo.
 */
function PhotoPanel(props: PhotoPanelProps) {
  const { photo, beside, index, total, keywording, onStep, onClose, onChanged } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const saveOnLeaveRef: SaveOnLeave = useRef(null);
  useLayoutEffect(() => {
    const box = dialog.current;
    if (!box) return;
    const isBeside = window.matchMedia(BESIDE).matches;
    if (isBeside) box.show();
    else box.showModal();
    // On a phone the keyboard would cover the photo before anyone has seen it.
    if (isBeside) field.current?.focus();
    return () => box.close();
  }, []);

  /** Saves the form first; if it has a problem the photo stays. */
  async function leave(go: () => void): Promise<void> {
    if ((await saveOnLeaveRef.current?.()) !== false) go();
  }
  const step = (by: 1 | -1) => {
    if (by === 1 ? index < total - 1 : index > 0) void leave(() => onStep(by));
  };

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      return void leave(onClose);
    }
    const by = stepOf(event);
    if (by === null) return;
    event.preventDefault();
    step(by);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the whole panel
    <dialog
      ref={dialog}
      aria-label="Edit photo"
      onCancel={(event) => {
        event.preventDefault();
        void leave(onClose);
      }}
      onKeyDown={onKey}
      className="sheet fixed inset-y-0 right-0 left-auto z-40 m-0 h-dvh max-h-none w-full max-w-none overflow-y-auto border-line bg-surface text-ink lg:w-[26rem] lg:border-l lg:shadow-xl xl:w-[32rem]"
    >
      <Head photo={photo} index={index} total={total} onStep={step} onClose={() => void leave(onClose)} />
      <Stage photo={photo} beside={beside} />
      <div className="flex flex-col gap-5 px-4 pt-4 pb-8">
        {photo?.status === 'failed' && (
          <Notice tone="warning">
            <strong>{altOf(photo.name, [])}</strong> is not in the gallery. {photo.problem ?? INGEST_FAILED}
          </Notice>
        )}
        {photo && photo.status !== 'failed' && (
          <>
            {props.note?.(photo)}
            <PhotoKeywords photo={photo} keywording={keywording} field={field} onNext={() => step(1)} />
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="small" onClick={() => props.onRotate(photo)}>
                <RotateCw aria-hidden="true" />
                Rotate
              </Button>
              <PhotoDownloads photo={photo} />
            </div>
            <NamePriceForm
              key={photo.id}
              photo={photo}
              saveOnLeaveRef={saveOnLeaveRef}
              onSaved={(answer, changes) => onChanged(photo, answer, changes)}
            />
            <PhotoNumbers photo={photo} />
          </>
        )}
        {photo && (
          <Button variant="danger" className="self-start" onClick={() => props.onRemove(photo)}>
            <Trash aria-hidden="true" />
            Remove
          </Button>
        )}
      </div>
    </dialog>
  );
}

type HeadProps = Pick<PhotoPanelProps, 'photo' | 'index' | 'total' | 'onStep' | 'onClose'>;

function Head({ photo, index, total, onStep, onClose }: HeadProps) {
  return (
    <div className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-surface py-1 pr-2 pl-4">
      <p role="status" className="grow text-sm font-semibold tabular-nums">
        <span className="sr-only">{photo ? altOf(photo.name, []) : ''}, photo </span>
        {formatCount(index + 1)} of {formatCount(total)}
      </p>
      <StepButton label="Previous photo" isDisabled={index === 0} onStep={() => onStep(-1)}>
        <ChevronLeft aria-hidden="true" />
      </StepButton>
      <StepButton label="Next photo" isDisabled={index === total - 1} onStep={() => onStep(1)}>
        <ChevronRight aria-hidden="true" />
      </StepButton>
      <IconButton label="Close" onClick={onClose}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** Arrow keys belong to the text if there is some; Page Up and Page Down always move. */
function stepOf({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 1 | -1 | null {
  if (ctrlKey || metaKey || altKey || shiftKey) return null;
  if (key === 'PageDown') return 1;
  if (key === 'PageUp') return -1;
  const isText = target instanceof HTMLInputElement && target.value !== '';
  if (isText) return null;
  return key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : null;
}

type StepButtonProps = { label: string; isDisabled: boolean; onStep: () => void; children: ReactNode };

/** Keeps the focus in the field: otherwise a phone would close its keyboard. */
function StepButton({ label, isDisabled, onStep, children }: StepButtonProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={isDisabled}
      className={cx(isDisabled && 'opacity-40')}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onStep}
    >
      {children}
    </IconButton>
  );
}

/** The clean picture. Its neighbors are already loaded, by the elements that will show them. */
function Stage({ photo, beside }: Pick<PhotoPanelProps, 'photo' | 'beside'>) {
  const all = [photo, ...beside].flatMap((one) => (one?.status === 'ready' ? [one] : []));
  const shown = photo?.status === 'ready' ? photo : null;
  return (
    <div
      className={cx(
        'grid grid-rows-1 place-items-center bg-sunken',
        photo?.status === 'failed' ? '' : 'h-[38dvh] lg:h-[44dvh]',
      )}
    >
      {photo === undefined && <Spinner />}
      {photo?.status === 'processing' && <p className="text-sm text-quiet">Processing</p>}
      {all.map((one) => (
        <img
          key={one.id}
          alt={one === shown ? altOf(one.name, []) : ''}
          aria-hidden={one !== shown || undefined}
          src={renditionUrl(cleanAddress(one.image_url), 960)}
          style={{ aspectRatio: ratioOf(one) }}
          className={cx('h-full max-h-full w-full object-contain', one !== shown && 'hidden')}
        />
      ))}
    </div>
  );
}

type OpenPhotoProps = {
  pages: EditorPhotos;
  frame: RefObject<HTMLElement | null>;
  id: number;
  onOpen: (id: number | null) => void;
  actions: TileActions;
  note: NoteOnPhoto | undefined;
};

/**
 * The photo in the panel, and moving through the list. The order is that of the list; if a photo leaves it (one that got a
 * keyword, in "Without keywords"), moving continues in the order that it was opened from.
 */
export function OpenPhoto({ pages, frame, id, onOpen, actions, note }: OpenPhotoProps) {
  const { cells, facts, hold } = pages;
  const live = useMemo(() => cells.map((cell) => cell.id), [cells]);
  const [kept, setKept] = useState(live);
  const isThere = live.includes(id);
  if (isThere && kept !== live) setKept(live);
  const order = isThere ? live : kept;
  const index = order.indexOf(id);
  const [before, next, afterNext] = [order[index - 1], order[index + 1], order[index + 2]];
  const keywording = useKeywording(facts, (photoId, keywords) => pages.change(photoId, { keywords }));
  // The grid follows the panel.
  useEffect(() => {
    const tile = frame.current?.querySelector(`[data-photo="${id}"]`);
    tile?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [frame, id]);
  useEffect(() => {
    hold([id, next, afterNext, before].filter((one) => one !== undefined));
    return () => hold([]);
  }, [hold, id, before, next, afterNext]);

  function close(): void {
    onOpen(null);
    frame.current?.querySelector<HTMLElement>(`[data-photo="${id}"] [data-main]`)?.focus();
    // A photo with its first keyword leaves the list of those without.
    if (pages.view.show === 'withoutKeywords') pages.refresh();
  }

  return (
    <PhotoPanel
      photo={facts.get(id)}
      beside={[next, before].flatMap((one) => (one === undefined ? [] : (facts.get(one) ?? [])))}
      index={Math.max(0, index)}
      total={Math.max(order.length, isThere ? pages.shownTotal : 0)}
      keywording={keywording}
      onStep={(step) => {
        const to = order[index + step];
        if (to !== undefined) onOpen(to);
      }}
      onClose={close}
      onChanged={actions.changed}
      onRemove={actions.remove}
      onRotate={actions.rotate}
      note={note}
    />
  );
}

/** The uploaded file, and a picture of 1440 pixels without a watermark (rule 2). */
function PhotoDownloads({ photo }: { photo: PhotoFact }) {
  const [isBusy, setBusy] = useState(false);
  async function saveClean(): Promise<void> {
    setBusy(true);
    const isSaved = await saveCleanPicture(photo);
    setBusy(false);
    if (!isSaved) showToast(PICTURE_UNREADABLE, 'error');
  }
  return (
    <>
      <a
        href={memberPicture(photo, { download: true })}
        download
        className={buttonStyle({ variant: 'secondary', size: 'small' })}
      >
        <Download aria-hidden="true" />
        Download original
      </a>
      <Button variant="secondary" size="small" busy={isBusy && 'Downloading...'} onClick={() => void saveClean()}>
        <Download aria-hidden="true" />
        Download clean
      </Button>
    </>
  );
}

/** A photo's numbers, and its contributor. */
function PhotoNumbers({ photo }: { photo: PhotoFact }) {
  const contributor = photo.contributor?.name ?? null;
  const numbers: [string, string][] = [
    ['Likes', formatCount(photo.likes)],
    ['Votes', formatCount(photo.votes)],
    ['Sold', formatCount(photo.sales_count ?? 0)],
    ['Revenue', dollarText(photo.sales_rev ?? 0)],
  ];
  return (
    <dl className="grid grid-cols-4 gap-2 rounded border border-line bg-paper px-3 py-2.5 text-center">
      {numbers.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-xs text-quiet">{name}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
      {contributor !== null && contributor !== '' && (
        <div className="col-span-4 border-t border-line pt-2 text-sm">
          <dt className="inline text-quiet">Photo by </dt>
          <dd className="inline font-semibold">{contributor}</dd>
        </div>
      )}
    </dl>
  );
}
