import type { ReactNode } from 'react';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { EyeOff, Heart, ShoppingBag, Star, Trophy } from '#src/ui/icon.tsx';
import { Price } from '#src/ui/price.tsx';

/** What is special about a photo, in its upper corner. */
export function TileMarks({ fact }: { fact: PhotoFact }) {
  return (
    <span className="pointer-events-none absolute top-2 right-2 left-11 flex flex-wrap justify-end gap-1">
      {fact.featured && <Mark icon={<Star aria-hidden="true" className="fill-current" />}>Featured</Mark>}
      {!fact.show_in_gallery && <Mark icon={<EyeOff aria-hidden="true" />}>Hidden</Mark>}
      {fact.price_override !== null && (
        <Mark>
          <Price cents={parseDollarNumber(fact.price_override) ?? ZERO} />
        </Mark>
      )}
    </span>
  );
}

const TAGS_SHOWN = 3;
/** Letters that are on the narrowest tile without covering its picture. */
const LETTERS_SHOWN = 22;

function tagsShown(names: readonly string[]): number {
  let letters = 0;
  const over = names.findIndex((name) => (letters += name.length) > LETTERS_SHOWN);
  return Math.max(1, Math.min(TAGS_SHOWN, over === -1 ? names.length : over));
}

/** What a photo is found by, so that no one opens it to see whether it is tagged. */
export function TileTags({ keywords }: Pick<PhotoFact, 'keywords'>) {
  if (keywords.length === 0) return null;
  const shown = tagsShown(keywords.map(({ name }) => name));
  const more = keywords.length - shown;
  return (
    <ul aria-label="Keywords" className="tile-tags">
      {keywords.slice(0, shown).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {more > 0 && (
        <li>
          +{more}
          <span className="sr-only"> more</span>
        </li>
      )}
    </ul>
  );
}

export function Mark({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1 rounded-sm bg-stage/80 px-2 py-0.5 text-xs font-semibold text-white [&_svg]:size-3.5">
      {icon}
      {children}
    </span>
  );
}

/** Likes, votes and photos sold, where there are any and space for them. */
export function TileNumbers({ fact }: { fact: PhotoFact }) {
  const numbers = [
    { count: fact.likes, icon: <Heart aria-hidden="true" />, words: fact.likes === 1 ? 'like' : 'likes' },
    { count: fact.votes, icon: <Trophy aria-hidden="true" />, words: fact.votes === 1 ? 'vote' : 'votes' },
    { count: fact.sales_count ?? 0, icon: <ShoppingBag aria-hidden="true" />, words: 'sold' },
  ].filter(({ count }) => count > 0);
  if (numbers.length === 0) return null;
  return (
    <span className="mr-auto flex gap-2.5 pb-1.5 pl-1 text-xs font-semibold tabular-nums @max-[16rem]/tile:hidden [&_svg]:size-3.5">
      {numbers.map(({ count, icon, words }) => (
        <span key={words} className="inline-flex items-center gap-1">
          {icon}
          {count.toLocaleString('en-US')}
          <span className="sr-only"> {words}</span>
        </span>
      ))}
    </span>
  );
}

export function TileButton({
  label,
  pressed,
  tabIndex,
  onClick,
  className,
  children,
}: {
  label: string;
  pressed?: boolean;
  tabIndex: number;
  onClick: () => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      tabIndex={tabIndex}
      onClick={onClick}
      className={cx(
        'grid size-11 place-items-center rounded text-white hover:bg-white/20 pointer-fine:size-9 [&_svg]:size-5',
        className,
      )}
    >
      {children}
    </button>
  );
}
