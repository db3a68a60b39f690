import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '#src/platform/processes/start-error.ts';

const WHY: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another program; stop it, or set PORT to a free one.`,
  EACCES: (_host, port) => `Port ${port} may only be opened by an administrator; set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST ${host} is not known on this machine.`,
};

/**
 * Tries the address before anything is started and returns its port; port 0 is answered with a free one. Waits a
 * moment for a port that is taken: the children of a killed supervisor may still be leaving. Throws StartError with one sentence.
 */
export async function findFreePort(host: string, port: number, patienceMs = 3000): Promise<number> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(100)) {
    const tried = await tryListening(host, port);
    if (typeof tried === 'number') return tried;
    if (tried === 'EADDRINUSE' && Date.now() < deadline) continue;
    throw new StartError(WHY[tried]?.(host, port) ?? `Port ${port} on ${host} cannot be opened (${tried}).`);
  }
}

async function tryListening(host: string, port: number): Promise<number | string> {
  const probe = createServer();
  const answer = await new Promise<number | string>((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => resolve((probe.address() as AddressInfo).port));
  });
  await new Promise((resolve) => probe.close(resolve));
  return answer;
}
