import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EditorPhotos as Photos } from '#src/features/photos/editor-photos.client.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { EditorTile } from '#src/features/photos/ui/editor-tile.tsx';
import { PhotoDetails } from '#src/features/photos/ui/photo-details.tsx';
import { RemovePhoto } from '#src/features/photos/ui/remove-photo.tsx';
import { Button } from '#src/ui/button.tsx';
import { phoneShares } from '#src/ui/photo-rows.ts';
import { ratioOf } from '#src/ui/photo-sources.ts';
import { Spinner } from '#src/ui/spinner.tsx';

/** All photos of a gallery for its owner: processing, failed and hidden ones too; fifty more whenever the end comes near. */
export function EditorPhotos({ pages, onChanged }: { pages: Photos; onChanged: () => void }) {
  const [openId, setOpenId] = useState<number | null>(null);
  const [doomed, setDoomed] = useState<PhotoAnswer | null>(null);
  const open = pages.photos.find(({ id }) => id === openId) ?? null;
  const shares = phoneShares(pages.photos.map(ratioOf));

  return (
    <>
      <ul aria-label="Photos" className="photo-grid [--gutter:8px] [--row:150px]">
        {pages.photos.map((photo, index) => (
          <EditorTile
            key={photo.id}
            photo={photo}
            share={shares[index] ?? 1}
            pages={pages}
            onOpen={setOpenId}
            onRemove={setDoomed}
          />
        ))}
        <li aria-hidden="true" className="photo-grid-end" />
      </ul>
      <More pages={pages} />
      {open && (
        <PhotoDetails
          key={open.id}
          photo={open}
          onChange={pages.change}
          onClose={() => setOpenId(null)}
          onRemove={() => setDoomed(open)}
        />
      )}
      <RemovePhoto
        photo={doomed}
        onClose={() => setDoomed(null)}
        onRemoved={(id) => {
          setDoomed(null);
          setOpenId(null);
          pages.remove(id);
          onChanged();
        }}
      />
    </>
  );
}

/** Loads on within two screens of the end; after a failure it waits to be asked. */
function More({ pages }: { pages: Photos }) {
  const { next, problem, more, photos, isLoading } = pages;
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(() => void more());
  const isOver = next === null || problem !== null;
  useEffect(() => {
    if (isOver || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '0px 0px 200% 0px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isOver, photos.length]);
  if (next === null) return null;
  return (
    <div ref={end} className="grid min-h-24 place-items-center py-6">
      {problem !== null ? (
        <div className="flex flex-col items-center gap-3 text-center">
          <p role="alert" className="text-sm text-quiet">
            {problem}
          </p>
          <Button variant="secondary" onClick={() => void more()}>
            Try again
          </Button>
        </div>
      ) : isLoading ? (
        <p role="status" className="flex items-center gap-3 text-sm text-quiet">
          <Spinner /> Loading more photos
        </p>
      ) : (
        <Button variant="secondary" onClick={() => void more()}>
          Show more
        </Button>
      )}
    </div>
  );
}
