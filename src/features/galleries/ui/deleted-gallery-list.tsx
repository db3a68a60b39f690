import { useState } from 'react';
import {
  BRING_BACK,
  BRINGING_BACK,
  broughtBack,
  type DeletedGalleries,
  type DeletedGallery,
} from '#src/features/galleries/galleries.contract.ts';
import { counted } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { useMoreRows } from '#src/web/use-more-rows.ts';
import { api, messagesOf } from '#src/web/api-client.ts';

type DeletedGalleryListProps = { organizationId: number; start: DeletedGalleries; timeZone: string };

/** Deleted galleries, newest first; each can be restored, within the plan (rule 45). */
export function DeletedGalleryList({ organizationId, start, timeZone }: DeletedGalleryListProps) {
  const {
    rows: galleries,
    setRows,
    more,
  } = useMoreRows<'galleries', DeletedGallery>(start, 'galleries', (query) =>
    api('GET /api/v1/affiliates/{id}/deleted_galleries', { params: { id: organizationId }, query }),
  );
  const [busy, setBusy] = useState<number | null>(null);
  const [message, setMessage] = useState('');

  async function bringBack({ id, name }: DeletedGallery): Promise<void> {
    setBusy(id);
    const answer = await api('PUT /api/v1/galleries/{id}', { params: { id }, body: { gallery: { active: true } } });
    setBusy(null);
    setMessage(answer.ok ? broughtBack(name) : messagesOf(answer).join(' '));
    if (answer.ok) setRows((now) => now.filter((gallery) => gallery.id !== id));
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
                  {`${counted(gallery.photo_count, 'photo', 'photos')} · created `}
                  <DateText at={new Date(gallery.created_at)} timeZone={timeZone} />
                </span>
              </p>
              <Button
                variant="secondary"
                size="small"
                busy={busy === gallery.id && BRINGING_BACK}
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
      <ShowMore {...more} />
      <p role="status" className="text-sm text-quiet empty:hidden">
        {message}
      </p>
    </div>
  );
}
