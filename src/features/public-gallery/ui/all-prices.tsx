/** All offers of a gallery, its passes, and a field for a code, in a sheet from the bottom of the screen. */
import { useState } from 'react';
import { Link } from 'react-router';
import { storeCodes, readCodes } from '#src/features/cart/typed-codes.client.ts';
import { CodeField } from '#src/features/cart/ui/code-field.tsx';
import { passItemOf, useChoice, type Seller } from '#src/features/cart/ui/use-choice.ts';
import { familyPath } from '#src/features/families/families.rules.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Clock } from '#src/ui/icon.tsx';

type Offers = NonNullable<GalleryAnswer['offers']>;
type AllPricesProps = {
  gallery: GalleryAnswer;
  offers: Offers;
  seller: Seller;
  /** Inside someone else's page the browser's storage is separate, and only photos reach the checkout. */
  isEmbedded: boolean;
  onClose: () => void;
};

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export function AllPrices({ gallery, offers, seller, isEmbedded, onClose }: AllPricesProps) {
  const passes = offers.offers.flatMap((offer) => (offer.kind === 'gallery_pass' ? [offer] : []));
  const ofAthlete = offers.offers.find((offer) => offer.kind === 'athlete_pass');
  const pass = gallery.is_private ? undefined : passes[0];
  // The line leaves out bundles that save nothing in this gallery; with photos of others they may.
  const bundles = offers.offers.flatMap(({ kind, text }) => (kind === 'bundle' ? [text] : []));
  const sentences = new Set([...offers.line.split(' · '), ...bundles]);
  return (
    <Dialog open look="bottom" title="All prices" onClose={onClose}>
      <div className="flex flex-col gap-5 pb-3">
        <ul className="flex flex-col gap-1">
          {[...sentences].map((text) => (
            <li key={text}>{capital(text)}</li>
          ))}
        </ul>
        {offers.early_bird && (
          <p className="flex items-center gap-1.5">
            <Clock aria-hidden="true" className="size-4 shrink-0" /> {offers.early_bird.text}
          </p>
        )}
        <p className="text-sm text-quiet">
          Choose the photos you like: you always pay the lowest price. Photos of all galleries with these prices count
          together.
        </p>
        {isEmbedded ? (
          <a
            href={`/${seller.path}/gallery/${gallery.id}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center font-semibold text-accent-text hover:underline"
          >
            {pass ? `${pass.text}, and codes: open the gallery’s own page` : 'For a code, open the gallery’s own page'}
          </a>
        ) : (
          <>
            {pass && <GalleryPass gallery={gallery} dollars={pass.price} seller={seller} onDone={onClose} />}
            {ofAthlete?.kind === 'athlete_pass' && <AthletePass dollars={ofAthlete.price} seller={seller} />}
            <StoredCodes sellerId={seller.id} />
          </>
        )}
      </div>
    </Dialog>
  );
}

type GalleryPassProps = { gallery: GalleryAnswer; dollars: number; seller: Seller; onDone: () => void };

function GalleryPass({ gallery, dollars, seller, onDone }: GalleryPassProps) {
  const { cart, toggle } = useChoice(seller.id);
  const isInCart = cart.has(gallery.id);
  return (
    <Card className="flex flex-col gap-3 p-4">
      <p>
        <strong className="block">The whole gallery</strong>
        <span className="text-sm text-quiet">
          All {formatCount(gallery.photo_count)} photos, and those added within a year.
        </span>
      </p>
      <Button
        variant={isInCart ? 'secondary' : 'primary'}
        onClick={() => {
          toggle(passItemOf({ id: gallery.id, name: gallery.name, passDollars: dollars }, seller));
          onDone();
        }}
      >
        {isInCart ? 'Remove the whole gallery from the cart' : `Get the whole gallery, ${dollarText(dollars)}`}
      </Button>
      {/* Everyone reads this: an email address alone must not show what its owner has bought. */}
      <p className="text-sm text-quiet">
        Did you buy it already? Its photos are free for you on the page of your order.{' '}
        <Link
          to="/find-my-order"
          className="inline-flex min-h-11 items-center font-semibold text-accent-text underline pointer-fine:min-h-7"
        >
          Find my order
        </Link>
      </p>
    </Card>
  );
}

/**
 * The card of the child opens its page. Without one the best price adds the pass as soon as it costs the same as its photos in
 * the cart.
 */
function AthletePass({ dollars, seller }: { dollars: number; seller: Seller }) {
  return (
    <Card className="flex flex-col gap-3 p-4">
      <p>
        <strong className="block">All photos of my athlete</strong>
        <span className="text-sm text-quiet">
          From all games with these prices, including later ones this season. Open the card your team gave you.
        </span>
      </p>
      <LinkButton variant="secondary" to={familyPath(seller.path)}>
        {`Get all photos of my athlete, ${dollarText(dollars)}`}
      </LinkButton>
    </Card>
  );
}

/** Codes wait for the review, which can say what they save. */
function StoredCodes({ sellerId }: { sellerId: number }) {
  const [kept, setKept] = useState(() => readCodes(sellerId));
  function saveCodes(codes: string[]): void {
    storeCodes(sellerId, codes);
    setKept(codes);
  }
  return (
    <CodeField
      codes={kept}
      noteOf={() => 'is kept. You will see what it saves when you review your photos.'}
      onChange={saveCodes}
    />
  );
}
