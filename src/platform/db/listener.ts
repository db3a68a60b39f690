import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 5000;

/**
 * One session that receives notifications (LISTEN) for the whole process and reconnects when it is lost. Notifications
 * sent while the session is lost are missed: listeners must also poll occasionally.
 * @param onError called after each failed attempt
 */
export function createListener(options: { url: string; applicationName: string; onError: (error: Error) => void }) {
  const callbacks = new Map<string, Set<(payload: string) => void>>();
  let client: pg.Client | null = null;
  let connecting: Promise<pg.Client> | null = null;
  let isClosed = false;

  async function connectOnce(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: `${options.applicationName} notices`,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
    });
    fresh.on('notification', ({ channel, payload }) => {
      for (const onPayload of callbacks.get(channel) ?? []) onPayload(payload ?? '');
    });
    fresh.on('error', (error) => {
      options.onError(error);
      void fresh.end().catch(() => undefined);
    });
    fresh.on('end', () => {
      if (client !== fresh) return;
      client = null;
      if (!isClosed && callbacks.size > 0) void connected().catch(() => undefined);
    });
    try {
      await fresh.connect();
      for (const channel of callbacks.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    client = fresh;
    return fresh;
  }

  async function connected(): Promise<pg.Client> {
    if (client) return client;
    connecting ??= (async () => {
      for (let pauseMs = 100; !isClosed; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        try {
          return await connectOnce();
        } catch (error) {
          options.onError(error as Error);
          await sleep(pauseMs, undefined, { ref: false });
        }
      }
      throw new Error('The listener is closed.');
    })().finally(() => (connecting = null));
    return connecting;
  }

  return {
    async listen(channel: string, onPayload: (payload: string) => void) {
      const isNew = !callbacks.has(channel);
      const all = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, all.add(onPayload));
      const wasConnected = client !== null;
      const session = await connected();
      if (isNew && wasConnected) await session.query(`listen ${pg.escapeIdentifier(channel)}`);
      return async () => {
        all.delete(onPayload);
        if (all.size > 0 || callbacks.get(channel) !== all) return;
        callbacks.delete(channel);
        await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    async close() {
      isClosed = true;
      callbacks.clear();
      await client?.end().catch(() => undefined);
    },
  };
}
