/**
 * `npm run dev`: the product with one web process, which serves pages from the sources, and restarts on server changes.
 */
process.env.SIDELINE_MODE ??= 'dev';
process.env.WEB_CONCURRENCY ??= '1';
process.env.NODE_ENV ??= 'development';
await import('#src/main.ts');

export {};
