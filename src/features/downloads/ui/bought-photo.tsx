/**
 * Bought photos: each opens large, can be downloaded, and on phones saved to the photo library. The links work without
 * JavaScript.
 */
import { lazy, Suspense, useState, type MouseEvent } from 'react';
import { withdrawnText } from '#src/features/orders/withdrawn.contract.ts';
import {
  downloadAddress,
  largePicture,
  useMayShareFiles,
  saveFile,
  shareFiles,
  downloadPhoto,
  type Line,
} from '#src/features/downloads/ui/download-photo.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Check, Download, ImageOff, Smartphone } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { isPlainClick } from '#src/ui/photos/plain-click.ts';
import { ProgressRing } from '#src/ui/progress.tsx';
import { useOpenPhoto } from '#src/ui/photos/use-open-photo.ts';
import { useInBrowser } from '#src/ui/use-in-browser.ts';

/** Loaded with the first photo that is opened. */
const LightboxFrame = lazy(async () => ({
  default: (await import('#src/ui/photos/lightbox-frame.tsx')).LightboxFrame,
}));

type State =
  | { step: 'idle' | 'saved' | 'shared' | 'failed' | 'gone' | 'withdrawn' | 'unreadable' }
  | { step: 'loading'; percent: number | null }
  /** Ready, but the browser needs another tap before it opens the share sheet. */
  | { step: 'ready'; file: File };

const NOT_AVAILABLE = 'This photo is no longer available for download.';
const REFUNDED = 'This photo was refunded. It can no longer be downloaded.';
const TRY_AGAIN = 'The download stopped. Please try again; your photo is safe.';
const UNREADABLE = 'This photo can’t be loaded. Please try again later, or ask the organization.';
const PROBLEMS: Partial<Record<State['step'], string>> = { failed: TRY_AGAIN, unreadable: UNREADABLE };
const NOTE: Partial<Record<State['step'], string>> = {
  saved: 'Saved to your downloads.',
  shared: 'Sent to your phone.',
  ready: 'Download ready. Tap “Save to phone” again.',
  gone: NOT_AVAILABLE,
};

/** Downloading a photo and passing it to the phone. */
function useTaking(line: Line) {
  const [state, setState] = useState<State>({ step: 'idle' });
  const mayShare = useMayShareFiles();

  /** Loads the photo and passes it on; other presses meanwhile do nothing. */
  async function take(handOver: (file: File) => Promise<State>): Promise<void> {
    if (state.step === 'loading') return;
    try {
      const taken =
        state.step === 'ready'
          ? state.file
          : await downloadPhoto(line, (percent) => setState({ step: 'loading', percent }));
      setState(taken instanceof File ? await handOver(taken) : { step: taken });
    } catch {
      setState({ step: 'failed' });
    }
  }

  function download(event: MouseEvent<HTMLAnchorElement>): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void take(async (file) => {
      saveFile(file);
      return { step: 'saved' };
    });
  }

  function save(): void {
    void take(async (file) => {
      const shared = await shareFiles([file]);
      if (shared === 'press_again') return { step: 'ready', file };
      return { step: shared === 'shared' ? 'shared' : 'idle' };
    });
  }

  return { state, mayShare, download, save };
}

type BoughtPhotoListProps = {
  lines: readonly Line[];
  /** Of this list, for the address of an open photo. */
  name: string;
};

/** A list of bought photos. An open one is in the address, so that the phone's Back closes it. */
export function BoughtPhotoList({ lines, name }: BoughtPhotoListProps) {
  const large = useOpenPhoto();
  const there = lines.filter((line) => line.order_key !== null);
  const idOf = (line: Line | undefined) => `${name}-${line?.id}`;
  const openAt = there.findIndex((line) => idOf(line) === large.id);
  const isInBrowser = useInBrowser();
  const open = isInBrowser ? there[openAt] : undefined;
  const at = (index: number) => there[(index + there.length) % there.length];
  const addressAt = (index: number) => large.addressOf(idOf(at(index)));
  return (
    <>
      <ul className="mt-4 grid gap-5 sm:grid-cols-2">
        {lines.map((line) => (
          <BoughtPhoto key={line.id} line={line} id={idOf(line)} onOpen={() => large.open(idOf(line))} />
        ))}
      </ul>
      {open && (
        <Suspense>
          <LightboxFrame
            index={openAt}
            total={there.length}
            photoAt={(index) => stagePhotoOf(at(index) ?? open)}
            tileAt={(index) => document.getElementById(idOf(at(index)))}
            addresses={{ previous: addressAt(openAt - 1), next: addressAt(openAt + 1), close: large.addressOf(null) }}
            onGoTo={(index) => large.goTo(idOf(at(index)))}
            onClose={large.close}
            header={<p className="w-0 flex-1 truncate pl-2 text-sm">{open.photo.name}</p>}
            footer={<StageActions key={open.id} line={open} />}
          />
        </Suspense>
      )}
    </>
  );
}

function stagePhotoOf(line: Line) {
  return {
    id: line.id,
    imageUrl: largePicture(line),
    alt: line.photo.name,
    width: null,
    height: null,
    thumbhash: null,
  };
}

type BoughtPhotoProps = {
  line: Line;
  /** Its own, on the page. */
  id: string;
  onOpen: () => void;
};

function BoughtPhoto({ line, id, onOpen }: BoughtPhotoProps) {
  const taking = useTaking(line);
  const { name } = line.photo;
  function open(event: MouseEvent): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onOpen();
  }
  return (
    <li className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface">
      {line.order_key === null ? (
        <span className="grid aspect-[3/2] w-full place-items-center bg-sunken text-quiet">
          <ImageOff aria-hidden="true" className="size-8" />
        </span>
      ) : (
        <a
          id={id}
          href={renditionUrl(largePicture(line), 1440)}
          aria-label={`Open ${name}`}
          onClick={open}
          className="focus-visible:-outline-offset-3"
        >
          <img
            src={line.photo.image_url}
            alt=""
            loading="lazy"
            className="aspect-[3/2] w-full bg-sunken object-contain"
          />
        </a>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
        <p className="line-clamp-2 min-w-0 flex-1 basis-28 text-sm font-semibold">{name}</p>
        {line.order_key !== null && (
          <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2 text-accent-text">
            <TakeButtons line={line} taking={taking} />
          </div>
        )}
      </div>
      {line.order_key === null && <p className="px-4 pb-4 text-sm text-quiet">{whyClosed(line)}</p>}
      <TakeStatus line={line} taking={taking} className="px-4 text-sm [&:not(:empty)]:pb-4" />
    </li>
  );
}

function whyClosed(line: Line): string {
  if (line.refunded) return REFUNDED;
  return line.withdrawn ? withdrawnText([line]) : NOT_AVAILABLE;
}

/** Below an open photo. */
function StageActions({ line }: { line: Line }) {
  const taking = useTaking(line);
  return (
    <div className="flex flex-col items-center gap-2">
      <TakeStatus line={line} taking={taking} className="text-center text-sm empty:hidden" />
      <div className="flex flex-wrap items-center justify-center gap-2">
        <TakeButtons line={line} taking={taking} />
      </div>
    </div>
  );
}

type TakingProps = { line: Line; taking: ReturnType<typeof useTaking> };

function TakeButtons({ line, taking: { state, mayShare, save, download } }: TakingProps) {
  const { name } = line.photo;
  return (
    <>
      {state.step === 'loading' && <ProgressRing label={`Downloading ${name}`} percent={state.percent} />}
      {mayShare && (
        <Button variant="secondary" size="small" onClick={save} aria-label={`Save to phone: ${name}`}>
          <Smartphone aria-hidden="true" />
          Save to phone
        </Button>
      )}
      <a
        href={downloadAddress(line)}
        download
        onClick={download}
        aria-label={`Download ${name}`}
        className={buttonStyle({ variant: 'secondary', size: 'small' })}
      >
        {state.step === 'saved' ? <Check aria-hidden="true" /> : <Download aria-hidden="true" />}
        Download
      </a>
    </>
  );
}

function TakeStatus({ line, taking: { state }, className }: TakingProps & { className: string }) {
  const problem = PROBLEMS[state.step];
  return (
    <p role="status" className={className}>
      {problem && <span className="font-semibold text-danger">{problem}</span>}
      {state.step === 'withdrawn' ? withdrawnText([line]) : NOTE[state.step]}
    </p>
  );
}
