import type { Config } from '@react-router/dev/config';

/** Pages are rendered on the server; the whole site map is small enough to come with the first page. */
export default {
  appDirectory: 'src',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
