import { useState } from 'react';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { PICTURE_UNREADABLE } from '#src/features/photos/photos.contract.ts';
import { memberPicture, saveCleanPicture } from '#src/features/photos/many-photos.client.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Download } from '#src/ui/icon.tsx';
import { showToast } from '#src/ui/toast.ts';

/** The file as it was uploaded, and a picture of 1440 pixels without a watermark (rule 2). */
export function PhotoDownloads({ photo }: { photo: PhotoFact }) {
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

/** How a photo is doing, and who brought it. */
export function PhotoNumbers({ photo }: { photo: PhotoFact }) {
  const contributor = photo.contributor?.name ?? null;
  const numbers: [string, string][] = [
    ['Likes', photo.likes.toLocaleString('en-US')],
    ['Votes', photo.votes.toLocaleString('en-US')],
    ['Sold', (photo.sales_count ?? 0).toLocaleString('en-US')],
    ['Revenue', formatDollars(parseDollarNumber(photo.sales_rev ?? 0) ?? ZERO)],
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
