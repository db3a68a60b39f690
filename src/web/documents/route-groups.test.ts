import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { expect, test } from 'vitest';
import config from '#src/routes.ts';
import { createRouteGroups } from '#src/web/documents/route-groups.ts';

type Routes = ServerBuild['routes'];
type Entry = { id?: string; path?: string; index?: boolean; file: string; children?: Entry[] };

const routes: Routes = {};
const addresses: string[] = [];

function add(entries: readonly Entry[], parentId: string, base: string): void {
  for (const { id: given, file, path, index, children = [] } of entries) {
    const id = given ?? file;
    routes[id] = { id, parentId, path, index, module: {} as never } as Routes[string];
    const address = `${base}/${path ?? ''}`.replace(/\/$/, '');
    addresses.push(address.replaceAll(/:\w+/g, '7') || '/');
    add(children, id, address);
  }
}
routes['root'] = { id: 'root', path: '', module: {} as never };
add(config as Entry[], 'root', '');

function idsFor(given: Routes, address: string): string[] {
  const below = (parentId: string): RouteObject[] =>
    Object.values(given).flatMap((route): RouteObject[] => {
      if (route?.parentId !== parentId) return [];
      const { id, path, index } = route;
      return index ? [{ id, index }] : [{ id, ...(path === undefined ? {} : { path }), children: below(id) }];
    });
  return (matchRoutes(below('root'), address) ?? []).map(({ route }) => route.id ?? '');
}

test('an address matches in its group what it matches among all routes', () => {
  const { labelOf, routesOf } = createRouteGroups(routes);
  const variants = addresses.flatMap((address) => [
    address,
    `${address}/`,
    address.toUpperCase(),
    address.replace(/^\/7/, '/dashboard'),
    address.replace(/^\/7/, '/admin'),
  ]);
  const others = ['//gallery/7', '/7//gallery', '/7/%67allery/7', '/7/gallery%2F7', '/7/gallery/7/more', '/7/more'];
  let grouped = 0;
  for (const address of new Set([...variants, ...others])) {
    const label = labelOf(address);
    if (label === null) continue;
    grouped++;
    expect({ address, ids: idsFor(routesOf(label), address) }).toEqual({ address, ids: idsFor(routes, address) });
  }
  expect(grouped).toBeGreaterThan(100);
});

test('a public gallery is sought among few routes', () => {
  const { labelOf, routesOf } = createRouteGroups(routes);
  expect(labelOf('/hawks/gallery/7')).toBe('gallery');
  expect(labelOf('/hawks/gallery/7.data')).toBe('gallery');
  expect(labelOf('/hawks')).toBe('');
  expect(labelOf('/hawks.data')).toBeNull();
  expect(labelOf('/login')).toBeNull();
  expect(Object.keys(routesOf('gallery')).length).toBeLessThan(12);
});
