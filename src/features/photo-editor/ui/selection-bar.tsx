import { useState, type ReactNode } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { changePhotos } from '#src/features/photos/many-photos.client.ts';
import { AddKeywordsToMany, PriceMany, RemoveMany } from '#src/features/photo-editor/ui/many-dialogs.tsx';
import { photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoSelection } from '#src/features/photo-editor/use-selection.client.ts';
import { cx } from '#src/ui/cx.ts';
import { DollarSign, Eye, EyeOff, Tag, Trash, X } from '#src/ui/icon.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { showToast } from '#src/ui/toast.ts';

/** What can be done with all chosen photos; there as soon as one is chosen. */
export function SelectionBar({
  pages,
  selection,
  onChanged,
  onNews,
}: {
  pages: EditorPhotos;
  selection: PhotoSelection;
  onChanged: () => void;
  onNews: (words: string) => void;
}) {
  const [dialog, setDialog] = useState<'keywords' | 'price' | 'remove' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const ids = [...selection.ids];
  if (ids.length === 0) {
    if (said !== '') setSaid('');
    return null;
  }
  const words = photosInWords(ids.length);

  async function show(shown: boolean): Promise<void> {
    setBusy(true);
    const answer = await changePhotos(pages.galleryId, ids, { show_in_gallery: shown });
    setBusy(false);
    if (!answer.ok) return void showToast(answer.error, 'error');
    pages.setShown(ids, shown);
    // Photos that are withheld on request stay hidden.
    if (shown) pages.refresh();
    done(`${words} ${ids.length === 1 ? 'is' : 'are'} ${shown ? 'in the gallery' : 'hidden'}.`);
  }

  /** The photos stay chosen, because often there is more to do with them: the next keyword, then the price. */
  function done(news: string): void {
    setDialog(null);
    setSaid(news);
    showToast(news, 'success');
    onNews(news);
    onChanged();
  }

  function clear(): void {
    setSaid('');
    selection.clear();
    if (pages.wish.show === 'withoutKeywords') pages.refresh();
  }

  const isBlocked = isBusy || selection.isChoosingAll;
  return (
    <section
      aria-label="Chosen photos"
      className="sticky bottom-4 z-20 mx-auto flex w-full max-w-3xl flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-line-strong bg-surface px-3 py-2 shadow-xl max-md:bottom-[calc(4rem+var(--tray-height,0px))]"
    >
      <p role="status" className="grow text-sm font-semibold tabular-nums max-sm:pl-1">
        {words} selected
        {said !== '' && <span className="block text-xs font-normal text-success">{said}</span>}
      </p>
      <IconButton label="Clear selection" onClick={clear} className="max-sm:order-first max-sm:-ml-2">
        <X aria-hidden="true" />
      </IconButton>
      <div className="flex flex-wrap gap-1 max-sm:w-full max-sm:justify-between">
        <Action icon={<Eye />} disabled={isBlocked} onClick={() => void show(true)}>
          Show
        </Action>
        <Action icon={<EyeOff />} disabled={isBlocked} onClick={() => void show(false)}>
          Hide
        </Action>
        <Action icon={<Tag />} disabled={isBlocked} onClick={() => setDialog('keywords')}>
          Keywords
        </Action>
        <Action icon={<DollarSign />} disabled={isBlocked} onClick={() => setDialog('price')}>
          Price
        </Action>
        <Action icon={<Trash />} disabled={isBlocked} isDanger onClick={() => setDialog('remove')}>
          Delete
        </Action>
      </div>
      {dialog === 'keywords' && (
        <AddKeywordsToMany pages={pages} ids={ids} onClose={() => setDialog(null)} onDone={done} />
      )}
      {dialog === 'price' && <PriceMany pages={pages} ids={ids} onClose={() => setDialog(null)} onDone={done} />}
      {dialog === 'remove' && <RemoveMany pages={pages} ids={ids} onClose={() => setDialog(null)} onDone={done} />}
    </section>
  );
}

function Action({
  icon,
  isDanger = false,
  disabled,
  onClick,
  children,
}: {
  icon: ReactNode;
  isDanger?: boolean;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={cx(
        'flex min-h-11 min-w-11 items-center gap-2 rounded px-3 text-sm font-semibold whitespace-nowrap hover:bg-sunken disabled:opacity-60 max-sm:flex-col max-sm:gap-0.5 max-sm:px-0.5 max-sm:text-xs [&_svg]:size-4.5 [&_svg]:shrink-0',
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
