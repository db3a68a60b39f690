import { useState } from 'react';
import {
  BRING_BACK,
  BRINGING_BACK,
  broughtBack,
  type DeletedGalleries,
  type DeletedGallery,
} from '#src/features/galleries/galleries.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';

type DeletedGalleryListProps = { organizationId: number; start: DeletedGalleries; timeZone: string };

/** Deleted galleries, newest first; each can be brought back, within the plan (rule 45). */
export function DeletedGalleryList({ organizationId, start, timeZone }: DeletedGalleryListProps) {
  const [galleries, setGalleries] = useState(start.galleries);
  const [next, setNext] = useState(start.next);
  const [busy, setBusy] = useState<number | 'more' | null>(null);
  const [said, setSaid] = useState('');

  async function bringBack({ id, name }: DeletedGallery): Promise<void> {
    setBusy(id);
    const answer = await callApi('PUT', `/api/v1/galleries/${id}`, { body: { gallery: { active: true } } });
    setBusy(null);
    setSaid(answer.ok ? broughtBack(name) : messagesOf(answer).join(' '));
    if (answer.ok) setGalleries((now) => now.filter((gallery) => gallery.id !== id));
  }

  async function loadMore(): Promise<void> {
    if (next === null) return;
    setBusy('more');
    const query = new URLSearchParams({ after: next });
    const path = `/api/v1/affiliates/${organizationId}/deleted_galleries?${query}`;
    const answer = await callApi<DeletedGalleries>('GET', path);
    setBusy(null);
    if (!answer.ok) return setSaid(answer.error);
    setGalleries((now) => [...now, ...answer.data.galleries]);
    setNext(answer.data.next);
  }

  return (
    <div className="flex flex-col gap-3">
      {galleries.length === 0 ? (
        <p className="text-sm text-quiet">No deleted galleries.</p>
      ) : (
        <ul aria-label="Deleted galleries" className="divide-y divide-line">
          {galleries.map((gallery) => (
            <li key={gallery.id} className="flex items-center gap-4 py-2 first:pt-0 last:pb-0">
              <p className="min-w-0 flex-1 text-sm">
                <strong className="font-semibold break-words">{gallery.name}</strong>
                <span className="block text-xs text-quiet tabular-nums">
                  {`${gallery.photo_count.toLocaleString('en-US')} ${gallery.photo_count === 1 ? 'photo' : 'photos'} · made `}
                  <DateText at={new Date(gallery.created_at)} timeZone={timeZone} />
                </span>
              </p>
              <Button
                variant="secondary"
                size="small"
                busy={busy === gallery.id ? BRINGING_BACK : false}
                disabled={busy !== null}
                onClick={() => void bringBack(gallery)}
              >
                {BRING_BACK}
                <span className="sr-only">{` ${gallery.name}`}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          busy={busy === 'more' ? 'Loading...' : false}
          onClick={() => void loadMore()}
        >
          Show more
        </Button>
      )}
      <p role="status" className="text-sm text-quiet empty:hidden">
        {said}
      </p>
    </div>
  );
}
