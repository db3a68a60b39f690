/** The main action of an order's page: saving all photos. Everything else is below it, as alternatives. */
import { useState } from 'react';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { counted } from '#src/shared/counted.ts';
import {
  useMayShareFiles,
  nextBatch,
  saveFile,
  shareFiles,
  downloadPhoto,
  type Line,
} from '#src/features/downloads/ui/download-photo.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { CircleCheck, Download, Smartphone } from '#src/ui/icon.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';

type Way = 'share' | 'download';

export function SaveAll({ order, lines }: { order: OrderAnswer; lines: readonly Line[] }) {
  const mayShare = useMayShareFiles();
  const [wantsFiles, setWantsFiles] = useState(false);
  const way: Way = mayShare && !wantsFiles ? 'share' : 'download';
  const count = lines.length;
  return (
    <div className="flex max-w-xl flex-col gap-3">
      <SaveButton key={way} lines={lines} way={way} />
      {(count > 1 || mayShare) && (
        <details className="text-sm">
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-quiet underline decoration-line-strong underline-offset-4 hover:text-ink">
            Other ways
          </summary>
          <div className="flex flex-col items-start gap-3 pt-1 pb-2">
            {way === 'share' && (
              <Button variant="secondary" size="small" onClick={() => setWantsFiles(true)}>
                Save as downloads instead
              </Button>
            )}
            {count > 1 && order.vanity_id !== null && (
              <>
                <a
                  href={`/api/v1/orders/${order.vanity_id}/download.zip`}
                  download
                  className={buttonStyle({ variant: 'secondary', size: 'small' })}
                >
                  <Download aria-hidden="true" />
                  Download all {count} as a zip file
                </a>
                <p className="text-quiet">One file for a computer. Phones often cannot open it.</p>
              </>
            )}
          </div>
        </details>
      )}
    </div>
  );
}

/** The part of a list that the page has not loaded yet. */
type Rest = { count: number; load: () => Promise<readonly Line[]> };
type SaveProps = { lines: readonly Line[]; way: Way; rest?: Rest | null };

/** Saves all photos, with its progress and what became of it; loads the `rest` of a long list first. */
export function SaveButton({ lines, way, rest = null }: SaveProps) {
  const { state, count, gone, unreadable, press } = useSaveAll({ lines, way, rest });
  const { step, saved, here } = state;
  const isFetching = step === 'fetching';
  return (
    <>
      <Button
        size="large"
        variant={step === 'done' ? 'secondary' : 'primary'}
        className="w-full noscript:hidden"
        busy={isFetching && `Getting ${Math.min(saved + here + 1, count)} of ${count}...`}
        onClick={press}
      >
        {way === 'share' ? <Smartphone aria-hidden="true" /> : <Download aria-hidden="true" />}
        {labelOf(state, count, way)}
      </Button>
      {isFetching && count > 1 && (
        <ProgressBar label="Downloading photos" percent={Math.round(((saved + here) / count) * 100)} />
      )}
      <p role="status" className="flex gap-2 text-sm text-pretty">
        {step === 'done' && <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />}
        {(gone + unreadable < lines.length || step !== 'idle') && newsOf(state, count, way)}
        {gone > 0 && ` ${counted(gone, 'photo is', 'photos are')} no longer available.`}
        {unreadable > 0 &&
          ` ${counted(unreadable, 'photo', 'photos')} can’t be loaded. Please try again later, or ask the organization.`}
      </p>
    </>
  );
}

function labelOf({ step, saved, files }: SaveAllState, count: number, way: Way): string {
  if (step === 'done') return count === 1 ? 'Save it again' : 'Save them again';
  if (files.length > 0) return files.length === 1 ? 'Save this photo now' : `Save these ${files.length} photos now`;
  if (saved > 0) return `Save the other ${count - saved}`;
  if (way === 'share') return count === 1 ? 'Save to my phone' : `Save all ${count} to my phone`;
  return count === 1 ? 'Download the photo' : `Download all ${count} photos`;
}

function newsOf({ step, saved, files }: SaveAllState, count: number, way: Way): string {
  const photos = count === 1 ? 'Your photo' : `All ${count} photos`;
  const rest = files.length === 1 ? 'Your photo is' : 'Your photos are';
  switch (step) {
    case 'done':
      return way === 'share'
        ? `Done. ${photos} went to the place you chose.`
        : `Done. ${photos} ${count === 1 ? 'is' : 'are'} in your downloads.`;
    case 'ready':
      return `${rest} here. Press again to save ${files.length === 1 ? 'it' : 'them'}.`;
    case 'closed':
      return `Nothing has been saved yet. ${rest} still here: press again when you want ${files.length === 1 ? 'it' : 'them'}.`;
    case 'failed':
      return 'The connection was lost. Your photos are safe: press again to continue.';
    case 'idle':
      if (saved > 0) return `${saved} of ${count} are saved. Press again for the others.`;
      return way === 'share' ? 'Your phone asks where to: choose “Save Image”, or your photo app.' : '';
    case 'fetching':
      return '';
  }
}

/** Browsers drop faster downloads. */
const BETWEEN_DOWNLOADS_MS = 400;

type SaveAllState = {
  step:
    | 'idle'
    /** `here` photos of the batch are loaded. */
    | 'fetching'
    /** The batch is loaded, and the phone needs a tap before it opens its share sheet. */
    | 'ready'
    | 'closed'
    | 'done'
    | 'failed';
  /** Photos that were saved so far, without those that are gone. */
  saved: number;
  here: number;
  files: readonly File[];
};
const START: SaveAllState = { step: 'idle', saved: 0, here: 0, files: [] };

/** Photos without a file, by the ids of their lines: they are counted, not explained one by one. */
type Skipped = ReadonlyMap<number, 'gone' | 'unreadable'>;

/**
 * Saves all photos: through the phone's share sheet in batches, or as downloads one after another (`way`). A broken
 * connection keeps what was saved; the next press continues from there. Photos that are gone or cannot be read are left
 * out; if all are, the next press tries them again. So does saving all again, with those that could not be read.
 */
function useSaveAll({ lines, way, rest }: Required<SaveProps>) {
  const [state, setState] = useState(START);
  const [skipped, setSkipped] = useState<Skipped>(new Map());
  const { step, saved, files } = state;
  const open = lines.filter(({ id }) => !skipped.has(id));
  const [left, known]: [readonly Line[], Skipped] = open.length > 0 || rest ? [open, skipped] : [lines, new Map()];
  const count = left.length + (rest?.count ?? 0);

  async function fetchAndShare(): Promise<void> {
    const showProgress = (here: number) => setState({ step: 'fetching', saved, here, files: [] });
    showProgress(0);
    const all = rest ? [...left, ...(await rest.load())] : left;
    const without = new Map(known);
    const batch = await nextBatch(all.slice(saved), (line) => takePhoto(line, without), showProgress);
    setSkipped(without);
    await share(batch.files, all.length - batch.gone.length);
  }

  async function share(batch: readonly File[], countNow: number): Promise<void> {
    const shared = batch.length === 0 ? 'shared' : await shareFiles(batch);
    if (shared !== 'shared')
      return setState({ step: shared === 'closed' ? 'closed' : 'ready', saved, here: 0, files: batch });
    const savedNow = saved + batch.length;
    setState({ ...START, step: savedNow === 0 || savedNow < countNow ? 'idle' : 'done', saved: savedNow });
  }

  async function download(): Promise<void> {
    let savedNow = saved;
    const without = new Map(known);
    for (const line of left.slice(saved)) {
      setState({ step: 'fetching', saved: savedNow, here: 0, files: [] });
      const file = await takePhoto(line, without);
      setSkipped(new Map(without));
      if (!file) continue;
      if (savedNow > saved) await new Promise((resolve) => setTimeout(resolve, BETWEEN_DOWNLOADS_MS));
      saveFile(file);
      savedNow++;
    }
    setState({ ...START, step: savedNow === 0 ? 'idle' : 'done', saved: savedNow });
  }

  /** The button: starts, continues after a batch or a broken connection, or starts again. */
  async function press(): Promise<void> {
    if (step === 'fetching') return;
    if (step === 'done') {
      setSkipped(new Map([...skipped].filter(([, why]) => why === 'gone')));
      return setState(START);
    }
    try {
      if (way === 'download') await download();
      else if (files.length > 0) await share(files, count);
      else await fetchAndShare();
    } catch {
      setState((now) => ({ ...START, step: 'failed', saved: now.saved }));
    }
  }

  const reasons = [...skipped.values()];
  const gone = reasons.filter((reason) => reason === 'gone').length;
  return { state, count, gone, unreadable: reasons.length - gone, press: () => void press() };
}

/** The file; without one, null, and why in `skipped`. */
async function takePhoto(line: Line, skipped: Map<number, 'gone' | 'unreadable'>): Promise<File | null> {
  const taken = await downloadPhoto(line, () => undefined);
  if (taken instanceof File) return taken;
  skipped.set(line.id, taken === 'unreadable' ? 'unreadable' : 'gone');
  return null;
}
