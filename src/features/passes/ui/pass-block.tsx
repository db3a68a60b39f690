/**
 * A pass on its order's page: how many photos it has today, a file with all or only the new ones, and each photo
 * (offers A.3).
 */
import { useState } from 'react';
import type { PassAnswer } from '#src/features/order-offers/sold-passes.contract.ts';
import { newPhotosText } from '#src/features/order-offers/sold-passes.rules.ts';
import { useMayShareFiles, type Line } from '#src/features/downloads/ui/download-photo.ts';
import { SaveButton } from '#src/features/downloads/ui/save-all.tsx';
import { BoughtPhotoList } from '#src/features/downloads/ui/bought-photo.tsx';
import type { PassPhotosAnswer } from '#src/features/passes/passes.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { Download } from '#src/ui/icon.tsx';
import { api } from '#src/web/api-client.ts';

/** The call lists no more at a time (`MAX_PASS_PHOTOS_PER_PAGE`, whose file is too heavy for this page). */
const MOST_PER_CALL = 100;

type PassBlockProps = { vanityId: string; pass: PassAnswer; first: PassPhotosAnswer };

export function PassBlock({ vanityId, pass, first }: PassBlockProps) {
  const heading = `pass-${pass.id}`;
  const photos = usePassPhotos({ vanityId, pass, first });
  const [isTaken, setIsTaken] = useState(false);
  const news = isTaken ? null : newPhotosText(pass);
  const zip = `/api/v1/orders/${vanityId}/download.zip?pass=${pass.id}`;
  // Once an archive was sent, nothing is new: the link would lead nowhere. It goes after the browser has followed it.
  const take = () => void setTimeout(() => setIsTaken(true));
  const mayShare = useMayShareFiles();
  const unlisted = Math.max(1, pass.photo_count - photos.lines.length);
  const rest = photos.next === null ? null : { count: unlisted, load: photos.loadRest };
  const savesAll = mayShare && photos.lines.length > 1;
  return (
    <section aria-labelledby={heading}>
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <div>
          <h2 id={heading} className="text-lg break-words">
            {pass.name}
          </h2>
          <p className="mt-1 text-pretty text-quiet">{pass.text}</p>
        </div>
        {savesAll && (
          <div className="flex max-w-xl flex-col gap-3">
            <SaveButton lines={photos.lines} way="share" rest={rest} />
          </div>
        )}
        {pass.photo_count > 0 && (
          <div className="flex flex-wrap gap-3">
            <a
              href={zip}
              download
              className={buttonStyle({ variant: savesAll ? 'secondary' : 'primary' })}
              onClick={take}
            >
              <Download aria-hidden="true" />
              Download all
            </a>
            {news && (
              <a href={`${zip}&new=true`} download className={buttonStyle({ variant: 'secondary' })} onClick={take}>
                <Download aria-hidden="true" />
                {news}
              </a>
            )}
            <p role="status" className="basis-full text-sm text-pretty text-quiet">
              {isTaken
                ? 'Your download has begun. If it stops, reload this page and start it again.'
                : `One file, for a computer. ${savesAll ? 'Phones often cannot open it.' : 'On a phone, save the photos below one by one.'}`}
            </p>
          </div>
        )}
      </Card>
      <Photos {...photos} name={heading} />
    </section>
  );
}

/** The photos so far, of which the page has the first. */
function usePassPhotos({ vanityId, pass, first }: PassBlockProps) {
  const [more, setMore] = useState<PassPhotosAnswer>({ photos: [], next: first.next });
  const [state, setState] = useState<{ isLoading: boolean; problem: string }>({ isLoading: false, problem: '' });
  const linesOf = (photos: PassPhotosAnswer['photos']): Line[] =>
    photos.map(({ added_at: _added, ...photo }) => ({ id: photo.id, order_key: pass.order_key, photo }));
  const listAfter = (query: { after: string; limit?: number }) =>
    api('GET /api/v1/orders/{id}/passes/{passId}/photos', {
      params: { id: vanityId, passId: pass.id },
      query,
    });

  async function load(): Promise<void> {
    setState({ isLoading: true, problem: '' });
    const answer = await listAfter({ after: more.next ?? '' });
    setState({ isLoading: false, problem: answer.ok ? '' : answer.error });
    if (answer.ok) setMore({ photos: [...more.photos, ...answer.data.photos], next: answer.data.next });
  }

  /** Everything that is not shown yet; then it is. Throws when a page of the list cannot be loaded; those before it are kept. */
  async function loadRest(): Promise<Line[]> {
    const rest: PassPhotosAnswer['photos'] = [];
    for (let next = more.next; next !== null;) {
      const answer = await listAfter({ after: next, limit: MOST_PER_CALL });
      if (!answer.ok) {
        setMore({ photos: [...more.photos, ...rest], next });
        throw new Error(answer.error);
      }
      rest.push(...answer.data.photos);
      next = answer.data.next;
    }
    setMore({ photos: [...more.photos, ...rest], next: null });
    return linesOf(rest);
  }

  const lines = linesOf([...first.photos, ...more.photos]);
  return { lines, next: more.next, ...state, load: () => void load(), loadRest };
}

type PhotosProps = Omit<ReturnType<typeof usePassPhotos>, 'loadRest'> & { name: string };

/** One by one, because phones often cannot open an archive. */
function Photos({ name, lines, next, isLoading, problem, load }: PhotosProps) {
  return (
    <>
      <BoughtPhotoList lines={lines} name={name} />
      {next !== null && (
        <Button variant="secondary" className="mt-5" busy={isLoading && 'Loading...'} onClick={load}>
          Show more photos
        </Button>
      )}
      <p role="status" className="text-sm font-semibold text-danger [&:not(:empty)]:mt-3">
        {problem}
      </p>
    </>
  );
}
