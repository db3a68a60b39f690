/**
 * Brings all photos of an order to where the buyer wants them: through the phone's own sheet in batches, or as downloads one
 * after the other. A broken connection keeps what was handed over; the next press continues from there.
 */
import { useState } from 'react';
import { nextBatch } from '#src/features/orders/ui/photo-batch.ts';
import { saveFile, shareFiles, takePhoto, type Line } from '#src/features/orders/ui/take-photo.ts';

/** Browsers drop downloads that come faster. */
const BETWEEN_DOWNLOADS_MS = 400;

export type SaveAllState = {
  step:
    | 'idle'
    /** `here` of the batch have come. */
    | 'fetching'
    /** The batch is here, and the phone wants a press before it opens its sheet. */
    | 'ready'
    | 'closed'
    | 'done'
    | 'failed';
  /** Photos that were handed over so far. */
  saved: number;
  here: number;
  files: readonly File[];
};
const START: SaveAllState = { step: 'idle', saved: 0, here: 0, files: [] };

/** `way` is how photos leave the browser: the phone's sheet where there is one. */
export function useSaveAll(lines: readonly Line[], way: 'share' | 'download') {
  const [state, setState] = useState(START);
  const { step, saved, files } = state;

  async function fetchAndShare(): Promise<void> {
    const tell = (here: number) => setState({ step: 'fetching', saved, here, files: [] });
    tell(0);
    await share(await nextBatch(lines.slice(saved), (line) => takePhoto(line, () => undefined), tell));
  }

  async function share(batch: readonly File[]): Promise<void> {
    const shared = await shareFiles(batch);
    if (shared !== 'shared')
      return setState({ step: shared === 'closed' ? 'closed' : 'ready', saved, here: 0, files: batch });
    const now = saved + batch.length;
    setState({ ...START, step: now < lines.length ? 'idle' : 'done', saved: now });
  }

  async function download(): Promise<void> {
    for (const [index, line] of lines.entries()) {
      if (index < saved) continue;
      setState({ step: 'fetching', saved: index, here: 0, files: [] });
      saveFile(await takePhoto(line, () => undefined));
      if (index < lines.length - 1) await new Promise((resolve) => setTimeout(resolve, BETWEEN_DOWNLOADS_MS));
    }
    setState({ ...START, step: 'done', saved: lines.length });
  }

  /** The one button: begins, continues after a batch or a broken connection, or begins again. */
  async function press(): Promise<void> {
    if (step === 'fetching') return;
    if (step === 'done') return setState(START);
    try {
      if (way === 'download') await download();
      else if (files.length > 0) await share(files);
      else await fetchAndShare();
    } catch {
      setState((now) => ({ ...START, step: 'failed', saved: now.saved }));
    }
  }

  return { state, press: () => void press() };
}
