import type { GalleryReport } from '#src/features/reports/reports.contract.ts';
import { cents, formatDollars } from '#src/shared/money.ts';
import { renditionUrl } from '#src/ui/photo-sources.ts';

/** The photos that sold most often. */
export function BestSellers({ photos }: { photos: GalleryReport['best_sellers'] }) {
  if (photos.length === 0) return null;
  return (
    <div>
      <h2 className="text-base font-bold">Best sellers</h2>
      <ol className="mt-2 divide-y divide-line border-t border-line">
        {photos.map((photo) => (
          <li key={photo.id} className="flex min-w-0 items-center gap-3 py-2 text-sm">
            <img
              alt=""
              loading="lazy"
              decoding="async"
              width={photo.width}
              height={photo.height}
              src={renditionUrl(photo.image_url, 320)}
              className="size-14 shrink-0 rounded bg-sunken object-cover"
            />
            <span className="min-w-0 flex-1 font-semibold break-words">{photo.name}</span>
            <span className="shrink-0 text-right tabular-nums">
              <strong className="block font-bold">
                {photo.sold === 1 ? 'Sold once' : `Sold ${photo.sold.toLocaleString('en-US')} times`}
              </strong>
              <span className="text-quiet">{formatDollars(cents(Math.round(photo.sales * 100)))}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
