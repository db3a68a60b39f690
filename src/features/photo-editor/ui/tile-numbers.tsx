import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { Heart, ShoppingBag, Trophy } from '#src/ui/icon.tsx';

/** Likes, votes and photos sold, if there are any and space for them. */
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
          {formatCount(count)}
          <span className="sr-only"> {words}</span>
        </span>
      ))}
    </span>
  );
}
