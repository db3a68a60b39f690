import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { packed, useUnpacked } from '#src/web/packed.ts';

type Facts = { names: string[]; at: string | null };

const facts: Facts = { names: ['O\u2019Neill "Oz"', '</script>'], at: null };
const PAGE = new URL('https://wings.example/hawks/gallery/7');
const DATA = new URL('https://wings.example/hawks/gallery/7.data?_routes=x');

test('a screen gets what its loader has packed, as text or as it is, and nothing for nothing', () => {
  const seen: unknown[] = [];
  function Screen({ sent }: { sent: ReturnType<typeof packed<Facts>> | null }) {
    seen.push(useUnpacked(sent));
    return null;
  }
  renderToString(<Screen sent={packed(PAGE, facts)} />);
  renderToString(<Screen sent={packed(DATA, facts)} />);
  renderToString(<Screen sent={null} />);
  expect(seen).toEqual([facts, facts, null]);
});

test('a document gets text, and a navigation of an earlier release the value that it knows', () => {
  expect(packed(PAGE, facts)).toBe(JSON.stringify(facts));
  expect(packed(DATA, facts)).toBe(facts);
});
