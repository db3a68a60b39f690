import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { WorkingArea } from '#src/web/frame/working-area.tsx';
import { navItems } from '#src/web/navigation.ts';

test('on a phone, prices and roster are in the menu: a club that uses neither has the tabs that it knows', () => {
  const hawks = { domainName: 'hawks', isChild: true, mayWork: true, isFull: false };
  const items = navItems({ role_id: 1 }, { ofPage: hawks, own: hawks });
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <WorkingArea items={items} brand="Hawks">
        no page
      </WorkingArea>
    </MemoryRouter>,
  );
  const [, , tabs = ''] = html.split('<nav aria-label="Main"');
  const names = tabs.replaceAll(/<svg.*?<\/svg>/g, '').match(/[A-Z][\w ]+(?=[^<>]*<\/)/g);
  expect(names?.map((name) => name.trim())).toEqual(['Dashboard', 'New Gallery', 'Reports', 'More']);
});
