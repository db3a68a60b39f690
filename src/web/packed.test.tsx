import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { packed, useUnpacked, type Packed } from '#src/web/packed.ts';

type Facts = { names: string[]; at: string | null };

test('a screen gets what its loader has packed, and nothing for nothing', () => {
  const facts: Facts = { names: ['O\u2019Neill "Oz"', '</script>'], at: null };
  const seen: (Facts | null)[] = [];
  function Screen({ text }: { text: Packed<Facts> | null }) {
    seen.push(useUnpacked(text));
    return null;
  }
  renderToString(<Screen text={packed(facts)} />);
  renderToString(<Screen text={null} />);
  expect(seen).toEqual([facts, null]);
});
