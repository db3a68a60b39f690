import { Link } from 'react-router';
import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import type { GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import { takenText } from '#src/features/photos/photo-times.rules.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { ASK_TO_HIDE } from '#src/features/takedowns/takedowns.contract.ts';
import { askToHidePath } from '#src/features/takedowns/takedowns.rules.ts';
import { EyeOff, Share } from '#src/ui/icon.tsx';

/** Above the photo on the stage: its name, when it was taken, sharing, and the way to have it hidden. */
export function PhotoHead({ photo, place }: { photo: ShownPhoto; place: GalleryPlace }) {
  const taken = takenText(photo.takenAt);
  return (
    <>
      <p className="mr-auto min-w-0 pl-2 text-sm leading-tight">
        <span className="block truncate">{photo.name}</span>
        {taken !== null && <span className="block truncate text-xs leading-tight opacity-80">{taken}</span>}
      </p>
      <button
        type="button"
        aria-label="Share this photo"
        title="Share"
        className="lightbox-button lightbox-script"
        onClick={() => void share(photo)}
      >
        <Share aria-hidden="true" />
      </button>
      <Link
        to={askToHidePath({ affiliate: place.affiliate, galleryId: photo.galleryId, id: photo.id })}
        aria-label={ASK_TO_HIDE}
        title={ASK_TO_HIDE}
        className="lightbox-button"
      >
        <EyeOff aria-hidden="true" />
      </Link>
    </>
  );
}

/** By the phone's own sheet; where there is none, the link is copied. */
async function share({ alt }: ShownPhoto): Promise<void> {
  const { href } = window.location;
  if (!('share' in navigator) || !navigator.canShare?.({ url: href })) return copyText(href);
  try {
    await navigator.share({ title: alt, url: href });
  } catch {
    // Closed without choosing anyone.
  }
}
