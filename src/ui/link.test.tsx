import { renderToString } from 'react-dom/server';
import type { ComponentProps, ComponentType } from 'react';
import { Link as RouterLink, StaticRouter } from 'react-router';
import { expect, test } from 'vitest';
import { Link } from '#src/ui/link.tsx';

test.each(['/', '/hawks', '/hawks/gallery/5?after=a%20b&x=%C3%BC', '/contributor?contributeKey=c_d#top'] as const)(
  'the server writes a link to %s like the router',
  (to) => {
    const rendered = (Anchor: ComponentType<ComponentProps<typeof Link>>) =>
      renderToString(
        <StaticRouter location="/hawks/gallery/5?search=a">
          <Anchor to={to} className="a">
            Words
          </Anchor>
        </StaticRouter>,
      );
    expect(rendered(Link)).toBe(rendered(RouterLink));
  },
);
