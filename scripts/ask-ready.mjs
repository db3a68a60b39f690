/**
 * The container's health check: exit 0 if this container's process reports that it is ready, otherwise 1 and the
 * reason.
 */
const { ROLE, PORT = '3000', WORKER_PORT } = process.env;
const port = ROLE === 'worker' ? WORKER_PORT : PORT;
try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) });
  process.stdout.write(`${await answer.text()}\n`);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  process.stdout.write(`${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
