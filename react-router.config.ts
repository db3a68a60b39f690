import type { Config } from '@react-router/dev/config';

/** Pages are rendered on the server; the whole site map is small enough to come with the first page. */
export default {
  appDirectory: 'src',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  // A file of 200 bytes for a loader in the browser is not worth its request.
  splitRouteModules: false,
} satisfies Config;
