import type { ChildProcess } from 'node:child_process';

/** What node:cluster writes on its line when it hands over a connection, and what comes back. */
type ClusterNote = { cmd?: string; act?: string; seq?: number; ack?: number };
type Handle = { close(): void };

/**
 * node:cluster forgets the connections that it was handing to a web process at the moment of its death: they stay open
 * and their clients wait for ever (24 of 30 tries with one process). Here they are closed when the process is gone, so
 * that clients may try again at once. If a later Node words its notes differently, only this help is lost.
 */
export function closeLostConnections(child: ChildProcess): void {
  const underway = new Map<number, Handle>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, ...rest: unknown[]) => {
    const note = message as ClusterNote | null;
    const handle = rest[0] as Handle | undefined;
    if (note?.cmd === 'NODE_CLUSTER' && note.act === 'newconn' && note.seq !== undefined && handle)
      underway.set(note.seq, handle);
    return send(message, ...rest);
  };
  child.on('internalMessage' as 'message', (message: unknown) => {
    const note = message as ClusterNote | null;
    if (note?.cmd === 'NODE_CLUSTER' && note.ack !== undefined) underway.delete(note.ack);
  });
  child.once('exit', () => {
    for (const handle of underway.values()) handle.close();
    underway.clear();
  });
}
