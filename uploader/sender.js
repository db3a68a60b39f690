// @ts-check
/**
 * The two ways of a file into a gallery: as a program of the organization, by its API token, one photo at a time; or as
 * a contributor, by an invite link, whose files are submitted together. Each step is recorded in the journal first.
 */
import path from 'node:path';
import { Refused } from './client.js';

/** A contributor submits at the latest after this many files. */
const TOGETHER = 100;

/**
 * @typedef {{ bytes: Uint8Array<ArrayBuffer>, sha: string, path: string }} Loaded
 * @typedef {{ deliver(file: Loaded): Promise<'sent' | 'known'>, finish(): Promise<void>, resume(): Promise<void> }} Sender
 *   `finish`: what waits is submitted; `resume`: what an earlier run left
 * @typedef {{ client: import('./client.js').Client, journal: import('./journal.js').Journal, gallery: { id: number, organizationId?: number } }} Work
 */

/** @param {Work & { batch: string }} work @returns {Sender} */
export function tokenSender({ client, journal, gallery, batch }) {
  const { id: g } = gallery;
  const params = { id: g };

  /**
   * Makes a photo of a stored file; false if the storage does not have it.
   * @param {string} key @param {Loaded} file
   */
  async function claim(key, file) {
    try {
      await client.call('POST /api/v1/galleries/{id}/gallery_photos', {
        params,
        body: { photo: { key, name: path.basename(file.path), batch } },
      });
    } catch (error) {
      if (error instanceof Refused && error.status === 422) return false;
      // An earlier try succeeded, and its answer was lost.
      if (!(error instanceof Refused && error.status === 409)) throw error;
    }
    journal.write({ t: 'done', g, sha: file.sha, file: path.basename(file.path) });
    return true;
  }

  return {
    async deliver(file) {
      const { sha } = file;
      const before = journal.keyOf(g, sha);
      if (before !== null && (await claim(before, file))) return 'sent';
      // Sent by another computer, or by this one before its journal was lost.
      const { known } = await client.call('POST /api/v1/galleries/{id}/gallery_photos/known', {
        params,
        body: { sha256: [sha] },
      });
      if (known.includes(sha)) {
        journal.write({ t: 'done', g, sha, file: path.basename(file.path) });
        return 'known';
      }
      const filename = path.basename(file.path);
      const policy = await client.call('POST /api/v1/policy', { query: { gallery_id: g }, body: { filename } });
      journal.write({ t: 'sent', g, sha, key: policy.key });
      await client.store(policy, file.bytes, filename);
      if (!(await claim(policy.key, file))) throw new Refused(503, 'The storage lost the file.', 1);
      return 'sent';
    },
    finish: async () => undefined,
    resume: async () => undefined,
  };
}

/**
 * @param {Work & { contributeKey: string, person: { name: string, email: string } }} work
 * @returns {Sender}
 */
export function contributorSender({ client, journal, gallery, contributeKey, person }) {
  const { id: g } = gallery;
  /** @type {Promise<void> | null} */
  let underWay = null;

  /** @param {readonly string[]} keys the same ones after a crash: all or none were taken */
  async function handOver(keys) {
    const named = new Map(journal.storedOf(g).map((each) => [each.key, each.name]));
    const photos = keys.map((key) => ({ key, name: named.get(key) ?? '' }));
    try {
      await client.call('POST /api/v1/contributor', { body: { contributeKey, photos, ...person } });
    } catch (error) {
      // No longer stored: they will be sent again.
      if (error instanceof Refused && error.status === 422)
        journal.write({ t: 'handed', g, keys: [...keys], taken: false });
      if (!(error instanceof Refused && error.status === 409)) throw error;
    }
    journal.write({ t: 'handed', g, keys: [...keys], taken: true });
  }

  async function handOverAll() {
    for (;;) {
      const keys =
        journal.handingOf(g) ??
        journal
          .storedOf(g)
          .slice(0, TOGETHER)
          .map(({ key }) => key);
      if (keys.length === 0) return;
      if (journal.handingOf(g) === null) journal.write({ t: 'handing', g, keys });
      await handOver(keys);
    }
  }

  const finish = () =>
    (underWay ??= handOverAll().finally(() => {
      underWay = null;
    }));

  return {
    async deliver(file) {
      const { sha } = file;
      const name = path.basename(file.path);
      if (journal.storedOf(g).some((each) => each.sha === sha)) return 'known';
      const policy = await client.call('POST /api/v1/policy', {
        query: { gallery_id: g },
        body: { filename: name, contributeKey },
      });
      await client.store(policy, file.bytes, name);
      journal.write({ t: 'stored', g, sha, key: policy.key, name });
      if (journal.storedOf(g).length >= TOGETHER) await finish();
      return 'sent';
    },
    finish,
    async resume() {
      await finish().catch((error) => {
        if (!(error instanceof Refused && error.status === 422)) throw error;
      });
    },
  };
}
