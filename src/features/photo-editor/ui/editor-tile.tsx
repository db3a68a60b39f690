import { memo, useState, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import { changePhoto, cleanAddress } from '#src/features/photos/photo-calls.client.ts';
import { hiddenText, type PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { OVERLAY_MS } from '#src/features/photo-editor/photo-editor.contract.ts';
import {
  HIDDEN_PHOTO_CANNOT_BE_FEATURED,
  INGEST_FAILED,
  type PhotoChanges,
} from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { useLocalPreview } from '#src/features/uploads/local-previews.client.ts';
import { useHasRested } from '#src/features/photo-wall/grid.client.ts';
import type { TilePlace } from '#src/features/photo-wall/ui/photo-wall.tsx';
import { TileNumbers } from '#src/features/photo-editor/ui/tile-numbers.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert, Ellipsis, Eye, EyeOff, RotateCw, Star, Trash } from '#src/ui/icon.tsx';
import { ratioOf, renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { Spinner } from '#src/ui/spinner.tsx';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { showToast } from '#src/ui/toast.ts';
import { fromDollars } from '#src/shared/money.ts';
import { Price } from '#src/ui/price.tsx';

/** Actions of tiles; the same object for all, so that only changed tiles are rendered again. */
export type TileActions = {
  /** A click on the picture: opens or selects it. */
  press: (fact: PhotoFact, keys: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => void;
  select: (id: number, isRange: boolean) => void;
  rotate: (fact: PhotoFact) => void;
  remove: (fact: PhotoFact) => void;
  /** All of these in a menu, for tiles that are too narrow for buttons. */
  menu: (fact: PhotoFact) => void;
  changed: (fact: PhotoFact, answer: PhotoFact, changes: PhotoChanges) => void;
};

type EditorTileProps = {
  id: number;
  /** Undefined while it is loading. */
  fact: PhotoFact | undefined;
  place: TilePlace;
  isSelected: boolean;
  /** Something is selected: a click selects. */
  isSelecting: boolean;
  /** Reached by Tab; the others by arrow keys. */
  isCurrent: boolean;
  /** The one in the panel. */
  isOpen: boolean;
  /** With the watermark that visitors see. */
  isMarked: boolean;
  actions: TileActions;
};

/** One photo in the editor: its state, and the most used switches. */
export const EditorTile = memo(
  function EditorTile(props: EditorTileProps) {
    const { fact, place, isSelected } = props;
    const preview = useLocalPreview(props.id, fact?.status === 'ready');
    const under = preview === null ? placeholderStyle(fact?.thumbhash) : { backgroundImage: `url(${preview})` };
    const style = { ...place.style, ...under };
    return (
      <li
        {...place}
        className="photo-tile data-hidden:[&_img]:opacity-40"
        data-hidden={(fact && !fact.show_in_gallery) || undefined}
        data-chosen={isSelected || props.isOpen || undefined}
        aria-busy={fact === undefined || undefined}
        tabIndex={fact === undefined || fact.status === 'processing' ? -1 : undefined}
        style={style as CSSProperties}
      >
        {fact?.status === 'processing' && <Processing name={altOf(fact.name, [])} isSeen={preview !== null} />}
        {fact?.status === 'failed' && <Failed {...props} fact={fact} name={altOf(fact.name, [])} />}
        {fact?.status === 'ready' && <Ready {...props} fact={fact} name={altOf(fact.name, [])} />}
        {fact && fact.status !== 'processing' && <Choice {...props} fact={fact} />}
      </li>
    );
  },
  (before, after) =>
    before.fact === after.fact &&
    before.isSelected === after.isSelected &&
    before.isSelecting === after.isSelecting &&
    before.isCurrent === after.isCurrent &&
    before.isOpen === after.isOpen &&
    before.isMarked === after.isMarked &&
    isSamePlace(before.place, after.place),
);

function isSamePlace(one: TilePlace, other: TilePlace): boolean {
  const [a, b] = [one.style, other.style];
  return (
    a.left === b.left &&
    a.top === b.top &&
    a.width === b.width &&
    a.height === b.height &&
    one['aria-posinset'] === other['aria-posinset'] &&
    one['aria-setsize'] === other['aria-setsize']
  );
}

type InnerProps = EditorTileProps & { fact: PhotoFact; name: string };

/** @param isSeen its preview is the tile's background */
function Processing({ name, isSeen }: { name: string; isSeen: boolean }) {
  if (isSeen)
    return (
      <span className="absolute bottom-2 left-2 flex items-center gap-1.5 rounded-sm bg-stage/80 px-2 py-0.5 text-xs font-semibold text-white">
        <Spinner /> Processing<span className="sr-only"> {name}</span>
      </span>
    );
  return (
    <div className="grid h-full place-items-center gap-1 bg-sunken/90 p-3 text-center text-xs text-ink">
      <span className="flex flex-col items-center gap-1.5">
        <span className="text-xl">
          <Spinner />
        </span>
        <strong className="line-clamp-2 font-semibold">{name}</strong>
        Processing
      </span>
    </div>
  );
}

function Failed({ fact, name, actions, isCurrent }: InnerProps) {
  return (
    <div className="flex h-full flex-col items-center justify-center overflow-hidden bg-danger-tint p-1.5 text-center text-xs leading-tight text-ink lg:gap-1 lg:p-3">
      <button
        type="button"
        data-main
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`${name} failed: ${fact.problem ?? INGEST_FAILED}`}
        onClick={(event) => actions.press(fact, event)}
        className="flex min-h-0 flex-col items-center justify-center overflow-hidden"
      >
        <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger max-lg:hidden" />
        <strong className="line-clamp-1 shrink-0 px-6 font-semibold">{name}</strong>
        <span className="line-clamp-2 text-pretty text-danger sm:line-clamp-3">{fact.problem ?? INGEST_FAILED}</span>
      </button>
      <button
        type="button"
        tabIndex={isCurrent ? 0 : -1}
        onClick={() => actions.remove(fact)}
        className="min-h-11 shrink-0 rounded px-3 font-semibold underline underline-offset-4 pointer-fine:min-h-8"
      >
        Remove<span className="sr-only"> {name}</span>
      </button>
    </div>
  );
}

/** The checkbox in the corner: on touch screens always visible, with a mouse on hover and while anything is selected. */
function Choice({ fact, isSelected, isSelecting, isCurrent, actions }: EditorTileProps & { fact: PhotoFact }) {
  return (
    <label
      className="tile-choice absolute top-0 left-0 grid size-11 cursor-pointer place-items-center"
      data-always={isSelected || isSelecting || undefined}
    >
      <input
        type="checkbox"
        aria-label={`Select ${altOf(fact.name, [])}`}
        tabIndex={isCurrent ? 0 : -1}
        checked={isSelected}
        // A click with Shift is also a change event, and selects a range.
        onChange={({ nativeEvent }) =>
          actions.select(fact.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        className="size-6 accent-accent-text drop-shadow scheme-light"
      />
    </label>
  );
}

function Ready({ fact, name, actions, place, isCurrent, isSelecting, isMarked }: InnerProps) {
  const [isUpdating, setUpdating] = useState(false);
  const hasRested = useHasRested();
  const tabIndex = isCurrent ? 0 : -1;

  /** The overlay is shown for a second (specification A§4), and as long as the server takes. */
  async function update(changes: PhotoChanges): Promise<void> {
    if (isUpdating) return;
    setUpdating(true);
    const [answer] = await Promise.all([
      changePhoto(fact, changes),
      new Promise((resolve) => setTimeout(resolve, OVERLAY_MS)),
    ]);
    setUpdating(false);
    if (answer.ok) actions.changed(fact, answer.data, changes);
    else showToast(answer.error, 'error');
  }

  const imageUrl = isMarked ? fact.image_url : cleanAddress(fact.image_url);
  const source = { imageUrl, width: fact.width, height: fact.height };
  const width =
    typeof place.style.width === 'number' ? `${Math.ceil(place.style.width)}px` : '(width < 600px) 50vw, 260px';
  return (
    <>
      <button
        type="button"
        data-main
        tabIndex={tabIndex}
        aria-label={isSelecting ? `Choose ${name}` : `Edit ${name}`}
        onClick={(event) => actions.press(fact, event)}
        className="block size-full focus-visible:-outline-offset-4"
      >
        <img
          key={imageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          src={renditionUrl(source.imageUrl, 480)}
          srcSet={srcSetOf(source)}
          sizes={width}
          style={{ aspectRatio: ratioOf(fact) }}
        />
      </button>
      <TileMarks fact={fact} />
      <TileTags keywords={fact.keywords} />
      <TileButton
        label={`Actions for ${name}`}
        tabIndex={tabIndex}
        onClick={() => actions.menu(fact)}
        className="tile-menu absolute right-0 bottom-0 bg-stage/60 @min-[13rem]/tile:hidden"
      >
        <Ellipsis aria-hidden="true" />
      </TileButton>
      {(hasRested || isCurrent) && (
        <div className="photo-actions @max-[13rem]/tile:hidden" data-always={isUpdating || undefined}>
          <TileNumbers fact={fact} />
          <Actions
            fact={fact}
            name={name}
            actions={actions}
            tabIndex={tabIndex}
            onUpdate={(changes) => void update(changes)}
          />
        </div>
      )}
      {isUpdating && (
        <span role="status" className="absolute inset-0 grid place-items-center bg-stage/60 text-xl text-white">
          <Spinner />
          <span className="sr-only">Updating {name}</span>
        </span>
      )}
    </>
  );
}

type ActionsProps = Pick<InnerProps, 'fact' | 'name' | 'actions'> & {
  tabIndex: number;
  onUpdate: (changes: PhotoChanges) => void;
};

function Actions({ fact, name, actions, tabIndex, onUpdate }: ActionsProps) {
  const { show_in_gallery: isShown, featured } = fact;
  return (
    <>
      <TileButton
        label={isShown ? `Hide ${name}` : `Show ${name} in the gallery`}
        tabIndex={tabIndex}
        onClick={() => onUpdate({ show_in_gallery: !isShown })}
      >
        {isShown ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
      </TileButton>
      <TileButton
        label={featured ? `Stop featuring ${name}` : `Feature ${name}`}
        pressed={featured}
        tabIndex={tabIndex}
        onClick={() =>
          isShown || featured ? onUpdate({ featured: !featured }) : showToast(HIDDEN_PHOTO_CANNOT_BE_FEATURED, 'info')
        }
      >
        <Star aria-hidden="true" className={cx(featured && 'fill-current')} />
      </TileButton>
      <TileButton label={`Rotate ${name}`} tabIndex={tabIndex} onClick={() => actions.rotate(fact)}>
        <RotateCw aria-hidden="true" />
      </TileButton>
      <TileButton label={`Remove ${name}`} tabIndex={tabIndex} onClick={() => actions.remove(fact)}>
        <Trash aria-hidden="true" />
      </TileButton>
    </>
  );
}

/** Badges of a photo in its upper corner; on a narrow tile below the checkbox, with the reason in one word. */
function TileMarks({ fact }: { fact: PhotoFact }) {
  const [hidden, why] = hiddenText(fact.hidden_by).split(': ');
  return (
    <span className="pointer-events-none absolute top-2 right-2 left-11 flex flex-wrap justify-end gap-1 @max-[13rem]/tile:top-11 @max-[13rem]/tile:right-1 @max-[13rem]/tile:left-1">
      {fact.featured && <Mark icon={<Star aria-hidden="true" className="fill-current" />}>Featured</Mark>}
      {!fact.show_in_gallery && (
        <Mark icon={<EyeOff aria-hidden="true" />}>
          {why && <span className="@max-[13rem]/tile:sr-only">{hidden}: </span>}
          {why ?? hidden}
        </Mark>
      )}
      {fact.price_override !== null && (
        <Mark>
          <Price cents={fromDollars(fact.price_override)} />
        </Mark>
      )}
    </span>
  );
}

const TAGS_SHOWN = 3;
/** How many letters fit on the narrowest tile without covering its picture. */
const LETTERS_SHOWN = 22;

function tagsShown(names: readonly string[]): number {
  let letters = 0;
  const over = names.findIndex((name) => (letters += name.length) > LETTERS_SHOWN);
  return Math.max(1, Math.min(TAGS_SHOWN, over === -1 ? names.length : over));
}

/** The photo's keywords, so that no one has to open it to see whether it has any. */
function TileTags({ keywords }: Pick<PhotoFact, 'keywords'>) {
  if (keywords.length === 0) return null;
  const shown = tagsShown(keywords.map(({ name }) => name));
  const more = keywords.length - shown;
  return (
    <ul aria-label="Keywords" className="tile-keywords">
      {keywords.slice(0, shown).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {more > 0 && (
        <li>
          +{more}
          <span className="sr-only"> more</span>
        </li>
      )}
    </ul>
  );
}

function Mark({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-sm bg-stage/80 px-2 py-0.5 text-xs font-semibold text-white @max-[13rem]/tile:gap-0.5 @max-[13rem]/tile:px-1 [&_svg]:size-3.5 [&_svg]:shrink-0">
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}

type TileButtonProps = {
  label: string;
  pressed?: boolean;
  tabIndex: number;
  onClick: () => void;
  className?: string;
  children: ReactNode;
};

function TileButton({ label, pressed, tabIndex, onClick, className, children }: TileButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      tabIndex={tabIndex}
      onClick={onClick}
      className={cx(
        'grid size-11 place-items-center rounded text-white hover:bg-white/20 pointer-fine:size-9 [&_svg]:size-5',
        className,
      )}
    >
      {children}
    </button>
  );
}
