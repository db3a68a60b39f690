/** An owner who uploads like a program: policy, storage, claim. */
import { randomUUID } from 'node:crypto';
import { createAccountService } from '#src/features/accounts/accounts.service.ts';
import { systemClock } from '#src/platform/clock.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import type { Product } from '#tests/load/product.ts';

export type Owner = {
  /** The header of their session. */
  authorization: string;
  /** Stores a file by the signed form; returns its key. */
  store(galleryId: number, bytes: Buffer, fileName: string): Promise<string>;
  claim(galleryId: number, key: string, name?: string): Promise<number>;
  isReady(galleryId: number, photoId: number): Promise<boolean>;
};

/** The product's address, and its database. */
type Reachable = Pick<Product, 'url' | 'appUrl'>;

/** An account of the bench's own; returns the header of its session. */
async function signUp(
  product: Reachable,
  name: string,
  who: { roleId: 1 | 2; administers: number[] },
): Promise<string> {
  // Rows of one run may need an owner of the same gallery.
  const credentials = { email: `${name}-${randomUUID()}@bench.test`, password: 'bench-password' };
  // A busy machine is not an outage.
  const database = await openDatabase({ url: product.appUrl, applicationName: 'bench', slotWaitMs: 15_000 });
  const accounts = createAccountService({
    database,
    limits: createRateLimits({ database, factor: 1_000_000 }),
    clock: systemClock,
  });
  await accounts.createUser({ ...credentials, firstName: 'Bench', lastName: 'Owner', ...who });
  await database.close();
  const login = await fetch(`${product.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: credentials }),
  });
  return login.headers.get('authorization') ?? '';
}

/** Someone with `role_id` 2. */
export async function makePlatformAdmin(product: Product): Promise<{ authorization: string }> {
  return { authorization: await signUp(product, 'admin', { roleId: 2, administers: [] }) };
}

export async function makeOwner(product: Reachable, organizationId: number): Promise<Owner> {
  const authorization = await signUp(product, `owner-${organizationId}`, { roleId: 1, administers: [organizationId] });

  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(product.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  return {
    authorization,
    async store(galleryId, bytes, fileName) {
      const {
        error: _error,
        url,
        ...fields
      } = await post<Record<string, string>>(`/api/v1/policy?timestamp=0&gallery_id=${galleryId}`, {
        affiliate_id: organizationId,
        filename: fileName,
      });
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), fileName);
      const stored = await fetch(url ?? '', { method: 'POST', body: form });
      if (stored.status !== 201) throw new Error(`the store answered ${stored.status}: ${await stored.text()}`);
      return fields['key'] ?? '';
    },
    async claim(galleryId, key, name = 'bench') {
      const photo = await post<{ id: number }>(`/api/v1/galleries/${galleryId}/gallery_photos`, {
        photo: { key, name },
      });
      return photo.id;
    },
    async isReady(galleryId, photoId) {
      const response = await fetch(`${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=10`, {
        headers: { authorization },
      });
      const { photos } = (await response.json()) as {
        photos: { id: number; status: string; problem: string | null }[];
      };
      const photo = photos.find((one) => one.id === photoId);
      if (photo?.status === 'failed') throw new Error(`a photo failed: ${photo.problem ?? ''}`);
      return photo?.status === 'ready';
    },
  };
}
