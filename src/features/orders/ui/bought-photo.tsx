/** One bought photo with its download. The link works without a script; with one, a ring shows how far it is. */
import { useState, type MouseEvent } from 'react';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Check, Download } from '#src/ui/icon.tsx';
import { ProgressRing } from '#src/ui/progress.tsx';

type Line = OrderAnswer['order_photo'][number];
type State = { step: 'idle' | 'done' } | { step: 'loading'; percent: number | null } | { step: 'failed' };

const TRY_AGAIN = 'The download stopped. Please try again; your photo is safe.';

/** The picture data as it was uploaded; the order key opens exactly this photo. */
function downloadAddress(line: Line): string {
  return `/api/v1/galleries/${line.photo.gallery_id}/gallery_photos/${line.photo.id}?download=true&orderkey=${line.order_key ?? ''}`;
}

export function BoughtPhoto({ line }: { line: Line }) {
  const [state, setState] = useState<State>({ step: 'idle' });

  async function download(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (state.step === 'loading') return;
    setState({ step: 'loading', percent: 0 });
    try {
      const { blob, name } = await fetchWithProgress(downloadAddress(line), (percent) =>
        setState({ step: 'loading', percent }),
      );
      saveBlob(blob, name ?? `${line.photo.name}.jpg`);
      setState({ step: 'done' });
    } catch {
      setState({ step: 'failed' });
    }
  }

  return (
    <li className="overflow-hidden rounded-lg border border-line bg-surface">
      <img
        src={line.photo.image_url}
        alt={line.photo.name}
        loading="lazy"
        className="aspect-[3/2] w-full bg-sunken object-contain"
      />
      <div className="flex items-center justify-between gap-4 p-4">
        <p className="min-w-0 truncate text-sm font-semibold">{line.photo.name}</p>
        <div className="flex shrink-0 items-center gap-2 text-accent-text">
          {state.step === 'loading' && (
            <ProgressRing label={`Downloading ${line.photo.name}`} percent={state.percent} />
          )}
          <a
            href={downloadAddress(line)}
            download
            onClick={(event) => void download(event)}
            aria-label={`Download ${line.photo.name}`}
            className={buttonStyle({ size: 'small' })}
          >
            {state.step === 'done' ? <Check aria-hidden="true" /> : <Download aria-hidden="true" />}
            Download
          </a>
        </div>
      </div>
      <p role="status" className="px-4 text-sm [&:not(:empty)]:pb-4">
        {state.step === 'failed' && <span className="font-semibold text-danger">{TRY_AGAIN}</span>}
        {state.step === 'done' && 'Saved to your downloads.'}
      </p>
    </li>
  );
}

async function fetchWithProgress(
  address: string,
  tell: (percent: number | null) => void,
): Promise<{ blob: Blob; name: string | null }> {
  const response = await fetch(address, { credentials: 'same-origin' });
  if (!response.ok || !response.body) throw new Error(`the download answered ${response.status}`);
  const size = Number(response.headers.get('content-length')) || null;
  const parts: BlobPart[] = [];
  let received = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    received += value.byteLength;
    tell(size === null ? null : Math.round((received / size) * 100));
  }
  if (size !== null && received !== size) throw new Error('the download was cut short');
  return {
    blob: new Blob(parts, { type: 'image/jpeg' }),
    name: fileNameOf(response.headers.get('content-disposition')),
  };
}

function fileNameOf(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null;
}

function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
