import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { shortenSiteMap } from './src/web/slim-router.ts';

/** Pages are rendered on the server; the whole site map is small enough to come with the first page. */
export default {
  appDirectory: 'src',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  // A file of 200 bytes for a loader in the browser is not worth its request.
  splitRouteModules: false,
  buildEnd: ({ reactRouterConfig }) => shortenSiteMap(join(reactRouterConfig.buildDirectory, 'client/assets')),
} satisfies Config;
