/** Which of the site's routes an address can match. */
import type { ServerBuild } from 'react-router';

type Routes = ServerBuild['routes'];

/** Anything else, such as capital letters or escapes, is left to the router. */
const PLAIN = /^\/([a-z0-9-]+)(?:\/?$|\/([a-z0-9-]+)(?:\/|$))/;

const firstLabel = (path = '') => path.split('/', 1)[0] ?? '';

/**
 * The router tries a site's routes one after the other, twice for each page, and lists the modules of all. Below
 * `/:affiliate` the second label of an address says which few of them can match (decision record 0173).
 */
export function createRouteGroups(routes: Routes) {
  const labelsBelow = (id: string) =>
    new Set(Object.values(routes).flatMap((route) => (route?.parentId === id ? [firstLabel(route.path)] : [])));
  const [own, ofAffiliates] = [labelsBelow('root'), labelsBelow('affiliate')];

  function isOf(label: string, route: Routes[string]): boolean {
    if (!route?.parentId) return true;
    if (route.parentId === 'root') return route.id === 'affiliate' || route.path === '*';
    return route.parentId === 'affiliate' ? firstLabel(route.path) === label : isOf(label, routes[route.parentId]);
  }

  return {
    /** The group of an address; null: any route may match. */
    labelOf(pathname: string): string | null {
      const [, first, second = ''] = PLAIN.exec(pathname) ?? [];
      return first === undefined || own.has(first) || !ofAffiliates.has(second) ? null : second;
    },
    /** The routes of a group, in their order. */
    routesOf(label: string | null): Routes {
      return label === null
        ? routes
        : Object.fromEntries(Object.entries(routes).filter(([, each]) => isOf(label, each)));
    },
  };
}
