import { memo, useState, type CSSProperties, type ReactNode } from 'react';
import { changePhoto } from '#src/features/photos/change-photo.client.ts';
import type { EditorPhotos } from '#src/features/photos/editor-photos.client.ts';
import {
  HIDDEN_PHOTO_CANNOT_BE_FEATURED,
  INGEST_FAILED,
  type PhotoAnswer,
  type PhotoChanges,
} from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert, Eye, EyeOff, Pencil, Star, Trash } from '#src/ui/icon.tsx';
import { tileSizes } from '#src/ui/photo-rows.ts';
import { ratioOf, renditionUrl, srcSetOf } from '#src/ui/photo-sources.ts';
import { Price } from '#src/ui/price.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { placeholderImage } from '#src/ui/thumbhash.ts';
import { showToast } from '#src/ui/toast.ts';

type EditorTileProps = {
  photo: PhotoAnswer;
  /** Its part of the phone's row, 0..1. */
  share: number;
  pages: Pick<EditorPhotos, 'change' | 'refresh'>;
  onOpen: (id: number) => void;
  onRemove: (photo: PhotoAnswer) => void;
};

/** One photo in the editor: its state, and the switches that are needed most. Redrawn only when it changes. */
export const EditorTile = memo(
  function EditorTile({ photo, share, pages, onOpen, onRemove }: EditorTileProps) {
    const name = altOf(photo.name, []);
    const ratio = ratioOf(photo);
    const placeholder = photo.thumbhash === null ? null : placeholderImage(photo.thumbhash);
    const style = {
      '--ratio': Math.round(ratio * 10_000) / 10_000,
      '--share': share,
      ...(placeholder === null ? {} : { backgroundImage: `url(${placeholder})` }),
    };
    return (
      <li
        className="photo-tile [content-visibility:auto] data-hidden:[&_img]:opacity-40"
        data-alone={share === 1 || undefined}
        data-hidden={!photo.show_in_gallery || undefined}
        style={style as CSSProperties}
      >
        {photo.status === 'processing' && <Processing name={name} />}
        {photo.status === 'failed' && <Failed photo={photo} name={name} onRemove={onRemove} />}
        {photo.status === 'ready' && (
          <Ready
            photo={photo}
            name={name}
            ratio={ratio}
            share={share}
            pages={pages}
            onOpen={onOpen}
            onRemove={onRemove}
          />
        )}
      </li>
    );
  },
  (before, after) => before.photo === after.photo && before.share === after.share,
);

function Processing({ name }: { name: string }) {
  return (
    <div className="grid h-full place-items-center gap-1 p-3 text-center text-xs text-quiet">
      <span className="flex flex-col items-center gap-1.5">
        <span className="text-xl">
          <Spinner />
        </span>
        <strong className="line-clamp-2 font-semibold text-ink">{name}</strong>
        Processing
      </span>
    </div>
  );
}

function Failed({ photo, name, onRemove }: Pick<EditorTileProps, 'photo' | 'onRemove'> & { name: string }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 overflow-y-auto bg-danger-tint p-3 text-center text-xs text-ink">
      <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />
      <strong className="line-clamp-1 font-semibold">{name}</strong>
      <p className="text-danger">{photo.problem ?? INGEST_FAILED}</p>
      <button
        type="button"
        onClick={() => onRemove(photo)}
        className="min-h-11 shrink-0 rounded px-3 font-semibold underline underline-offset-4 pointer-fine:min-h-8"
      >
        Remove<span className="sr-only"> {name}</span>
      </button>
    </div>
  );
}

function Ready({
  photo,
  name,
  ratio,
  share,
  pages,
  onOpen,
  onRemove,
}: EditorTileProps & { name: string; ratio: number }) {
  const [isUpdating, setUpdating] = useState(false);

  async function update(changes: PhotoChanges, isElsewhere: boolean): Promise<void> {
    if (isUpdating) return;
    setUpdating(true);
    const answer = await changePhoto(photo, changes);
    setUpdating(false);
    if (!answer.ok) {
      showToast(answer.error, 'error');
      return;
    }
    pages.change(photo.id, answer.data);
    // Featuring moves this photo to the front and takes the mark from another one.
    if (isElsewhere) pages.refresh([photo.id]);
  }

  const source = { imageUrl: photo.image_url, width: photo.width, height: photo.height };
  const isShown = photo.show_in_gallery;
  return (
    <>
      {/* The pencil below says the same to keyboards and screen readers. */}
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => onOpen(photo.id)}
        className="block size-full"
      >
        <img
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          src={renditionUrl(source.imageUrl, 480)}
          srcSet={srcSetOf(source)}
          sizes={`auto, ${tileSizes(ratio, share)}`}
        />
      </button>
      <span className="pointer-events-none absolute top-2 right-2 left-2 flex flex-wrap gap-1">
        {photo.featured && <Mark icon={<Star aria-hidden="true" className="fill-current" />}>Featured</Mark>}
        {!isShown && <Mark icon={<EyeOff aria-hidden="true" />}>Hidden</Mark>}
        {photo.price_override !== null && (
          <Mark>
            <Price cents={parseDollarNumber(photo.price_override) ?? ZERO} />
          </Mark>
        )}
      </span>
      <div className="photo-actions" data-always={isUpdating || undefined}>
        <TileButton
          label={isShown ? `Hide ${name}` : `Show ${name} in the gallery`}
          onClick={() => void update({ show_in_gallery: !isShown }, false)}
        >
          {isShown ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
        </TileButton>
        <TileButton
          label={photo.featured ? `Stop featuring ${name}` : `Feature ${name}`}
          pressed={photo.featured}
          onClick={() =>
            isShown || photo.featured
              ? void update({ featured: !photo.featured }, true)
              : showToast(HIDDEN_PHOTO_CANNOT_BE_FEATURED, 'info')
          }
        >
          <Star aria-hidden="true" className={cx(photo.featured && 'fill-current')} />
        </TileButton>
        <TileButton label={`Edit ${name}`} onClick={() => onOpen(photo.id)}>
          <Pencil aria-hidden="true" />
        </TileButton>
        <TileButton label={`Remove ${name}`} onClick={() => onRemove(photo)} className="@max-[13rem]/tile:hidden">
          <Trash aria-hidden="true" />
        </TileButton>
      </div>
      {isUpdating && (
        <span role="status" className="absolute inset-0 grid place-items-center bg-stage/60 text-xl text-white">
          <Spinner />
          <span className="sr-only">Updating {name}</span>
        </span>
      )}
    </>
  );
}

function Mark({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1 rounded-sm bg-stage/80 px-2 py-0.5 text-xs font-semibold text-white [&_svg]:size-3.5">
      {icon}
      {children}
    </span>
  );
}

function TileButton({
  label,
  pressed,
  onClick,
  className,
  children,
}: {
  label: string;
  pressed?: boolean;
  onClick: () => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
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
