/** Where a process listens, and the sentence for the person who started it if it cannot. */
import { StartError } from '#src/platform/processes/start-error.ts';

type Place = { host: string; port: number; setting?: 'PORT' | 'WORKER_PORT' };

const WHY: Record<string, (place: Required<Place>) => string> = {
  EADDRINUSE: ({ host, port, setting }) =>
    `Port ${port} on ${host} is in use by another program; stop it, or set ${setting} to a free one.`,
  EACCES: ({ port, setting }) =>
    `Port ${port} may only be opened by an administrator; set ${setting} to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST ${host} is not known on this machine.`,
};

/** The start's last message, by the code of the system's error. */
export function whyNotListening(code: string, { setting = 'PORT', ...place }: Place): StartError {
  return new StartError(
    WHY[code]?.({ ...place, setting }) ?? `Port ${place.port} on ${place.host} cannot be opened (${code}).`,
  );
}

type Listener = { listen(at: { host: string; port: number }): Promise<unknown> };

/** @throws StartError with one sentence */
export async function listenAt(server: Listener, { host, port, setting }: Place): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw whyNotListening(code ?? message, { host, port, ...(setting && { setting }) });
  }
}
