import { useState } from 'react';
import { Outlet, useNavigate, useParams } from 'react-router';
import { cents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Check, Heart, Plus } from '#src/ui/icon.tsx';
import { LightboxFrame } from '#src/ui/photos/lightbox-frame.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { PhotoGrid } from '#src/ui/photos/photo-grid.tsx';
import { Price } from '#src/ui/price.tsx';
import { specimenPhotos } from '#tests/support/specimens/photos.ts';

const photos = specimenPhotos(Number(new URLSearchParams(window.location.search).get('count') ?? 23));

/** The photo grid with something to click on every tile. */
export function Gallery() {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set([3]));
  const toggle = (id: number) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((other) => other !== id) : [...chosen, id]));
  return (
    <>
      <Main edgeToEdge className="pb-10">
        <div className="px-5">
          <PageHeader title="Spring Cup Final" subtitle="23 photos" />
        </div>
        <PhotoGrid
          hint="Arrow keys move from photo to photo."
          photos={photos}
          toOf={(photo) => `/gallery/photo/${photo.id}`}
          isChosen={(photo) => chosen.has(photo.id)}
          overlay={(photo) => (
            <div className="photo-actions" data-always={chosen.has(photo.id) || undefined}>
              <button type="button" aria-label={`Like ${photo.alt}`} className="grid size-11 place-items-center">
                <Heart aria-hidden="true" className="size-5" />
              </button>
              <Button
                size="small"
                aria-pressed={chosen.has(photo.id)}
                aria-label={`Add ${photo.alt} to cart`}
                onClick={() => toggle(photo.id)}
              >
                {chosen.has(photo.id) ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
                <Price cents={cents(400)} />
              </Button>
            </div>
          )}
        />
      </Main>
      <Outlet />
    </>
  );
}

/** The stage, opened by its address and browsed without one. */
export function Lightbox() {
  const navigate = useNavigate();
  const [index, setIndex] = useState(Number(useParams()['photo']) - 1);
  const photoAt = (place: number) => photos[(place + photos.length) % photos.length] ?? null;
  return (
    <LightboxFrame
      index={index}
      total={photos.length}
      photoAt={photoAt}
      tileAt={(place) => document.getElementById(`photo-${place}`)}
      addresses={{
        previous: `/gallery/photo/${photoAt(index - 1)?.id}`,
        next: `/gallery/photo/${photoAt(index + 1)?.id}`,
        close: '/gallery',
      }}
      onGoTo={setIndex}
      onClose={() => void navigate('/gallery')}
      footer={
        <Button>
          Add to Cart <Price cents={cents(400)} />
        </Button>
      }
    />
  );
}
