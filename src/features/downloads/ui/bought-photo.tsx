/** One bought photo: its download, and on phones a button to save it to the photo library. The link works without JavaScript. */
import { useState, type MouseEvent } from 'react';
import { withdrawnText } from '#src/features/orders/withdrawn.contract.ts';
import {
  downloadAddress,
  useMayShareFiles,
  saveFile,
  shareFiles,
  downloadPhoto,
  type Line,
} from '#src/features/downloads/ui/download-photo.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Check, Download, ImageOff, Smartphone } from '#src/ui/icon.tsx';
import { ProgressRing } from '#src/ui/progress.tsx';

type State =
  | { step: 'idle' | 'saved' | 'shared' | 'failed' | 'gone' | 'withdrawn' }
  | { step: 'loading'; percent: number | null }
  /** Ready, but the browser needs another tap before it opens the share sheet. */
  | { step: 'ready'; file: File };

const NOT_AVAILABLE = 'This photo is no longer available for download.';
const TRY_AGAIN = 'The download stopped. Please try again; your photo is safe.';
const NOTE: Partial<Record<State['step'], string>> = {
  saved: 'Saved to your downloads.',
  shared: 'Sent to your phone.',
  ready: 'Download ready. Tap “Save to phone” again.',
  gone: NOT_AVAILABLE,
};

export function BoughtPhoto({ line }: { line: Line }) {
  const [state, setState] = useState<State>({ step: 'idle' });
  const mayShare = useMayShareFiles();
  const { name } = line.photo;

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
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
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

  return (
    <li className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface">
      {line.order_key === null ? (
        <span className="grid aspect-[3/2] w-full place-items-center bg-sunken text-quiet">
          <ImageOff aria-hidden="true" className="size-8" />
        </span>
      ) : (
        <img
          src={line.photo.image_url}
          alt={name}
          loading="lazy"
          className="aspect-[3/2] w-full bg-sunken object-contain"
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
        <p className="line-clamp-2 min-w-0 flex-1 basis-28 text-sm font-semibold">{name}</p>
        {line.order_key !== null && (
          <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2 text-accent-text">
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
          </div>
        )}
      </div>
      {line.order_key === null && (
        <p className="px-4 pb-4 text-sm text-quiet">{line.withdrawn ? withdrawnText([line]) : NOT_AVAILABLE}</p>
      )}
      <p role="status" className="px-4 text-sm [&:not(:empty)]:pb-4">
        {state.step === 'failed' && <span className="font-semibold text-danger">{TRY_AGAIN}</span>}
        {state.step === 'withdrawn' ? withdrawnText([line]) : NOTE[state.step]}
      </p>
    </li>
  );
}
