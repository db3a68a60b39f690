/** A program that uses the product's calls like any other client, but without a network. */
import type { App } from '#src/app.ts';
import { DEMO_ORGANIZATIONS, DEMO_PASSWORD, type DemoGallery, type DemoOrder } from '#src/demo/demo-plan.ts';
import type { BuiltServer } from '#src/http/build-server.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };

/** What fills the demo. */
export type DemoDeps = {
  app: App;
  platform: Platform;
  /** A host of its own, not listening, whose clock can be set back. */
  built: BuiltServer;
  setClock: (now: Date) => void;
};

/** A gallery of the plan as it is in the database; photos in the order of the catalog. */
export type DemoGalleryMade = { plan: DemoGallery; id: number; organizationId: number; photos: number[] };

type Upload = {
  galleryId: number;
  organizationId: number;
  storage: Storage;
  bytes: Buffer;
  file: string;
  name: string;
};

export class DemoClient {
  readonly #built: BuiltServer;
  readonly #token: string | null;

  constructor(built: BuiltServer, token: string | null = null) {
    this.#built = built;
    this.#token = token;
  }

  static async signIn(built: BuiltServer, email: string): Promise<DemoClient> {
    const payload = { user: { email, password: DEMO_PASSWORD } };
    const answer = await built.server.inject({ method: 'POST', url: '/login', payload });
    const token = /^Bearer (.+)$/.exec(String(answer.headers['authorization']))?.[1];
    if (answer.statusCode !== 200 || token === undefined)
      throw new Error(`the demo user ${email} could not sign in: ${answer.body}`);
    return new DemoClient(built, token);
  }

  /** Signs in as the owner of an organization of the plan. */
  static signInOwner(built: BuiltServer, path: string): Promise<DemoClient> {
    const owner = DEMO_ORGANIZATIONS.find((organization) => organization.path === path);
    if (!owner) throw new Error(`the demo plan has no organization ${path}`);
    return DemoClient.signIn(built, owner.email);
  }

  /** Posts and returns the parsed body; throws on any refusal, because the demo makes no mistakes. */
  post<Answer>(url: string, payload?: object): Promise<Answer> {
    return this.#send('POST', url, payload);
  }

  put<Answer>(url: string, payload: object): Promise<Answer> {
    return this.#send('PUT', url, payload);
  }

  async #send<Answer>(method: 'POST' | 'PUT', url: string, payload?: object): Promise<Answer> {
    const answer = await this.#built.server.inject({
      method,
      url,
      headers: this.#token === null ? {} : { authorization: `Bearer ${this.#token}` },
      ...(payload === undefined ? {} : { payload }),
    });
    if (answer.statusCode >= 300)
      throw new Error(`the demo's ${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
    return answer.json<Answer>();
  }

  /** Puts a photo first. */
  async feature(galleryId: number, photoId: number): Promise<void> {
    await this.put(`/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`, { photo: { featured: true } });
  }

  /** Gives a gallery a price sheet. */
  async usePriceSheet(galleryId: number, price_sheet_id: number): Promise<void> {
    await this.put(`/api/v1/galleries/${galleryId}`, { gallery: { price_sheet_id } });
  }

  async createGallery(organizationId: number, plan: DemoGallery): Promise<number> {
    const {
      owner: _owner,
      pictures: _pictures,
      inactive: _inactive,
      featured: _featured,
      only: _only,
      password,
      ...open
    } = plan;
    const gallery = {
      ...open,
      organization_id: organizationId,
      ...(password === undefined ? {} : { password_required: true, password }),
    };
    const made = await this.post<{ id: number }>('/api/v1/galleries/', { gallery });
    return made.id;
  }

  /** Requests a policy, stores the bytes where the form would, and claims them. */
  async upload(upload: Upload): Promise<number> {
    const policy = await this.post<{ key: string }>(`/api/v1/policy?timestamp=0&gallery_id=${upload.galleryId}`, {
      affiliate_id: upload.organizationId,
      filename: upload.file,
    });
    await upload.storage.put(policy.key, upload.bytes, { contentType: 'image/jpeg' });
    const photo = await this.post<{ id: number }>(`/api/v1/galleries/${upload.galleryId}/gallery_photos`, {
      photo: { key: policy.key, name: upload.name },
    });
    return photo.id;
  }

  async addKeywords(galleryId: number, photoId: number, keywords: readonly string[]): Promise<void> {
    if (keywords.length > 0)
      await this.post(`/api/v1/galleries/${galleryId}/add_keywords`, { photo: { id: photoId, keywords } });
  }

  /** Buys some photos as a visitor; returns the receipt's id. The same index orders the same photos once. */
  async order(gallery: DemoGalleryMade, plan: DemoOrder, index: number): Promise<string> {
    const price = gallery.plan.price_per_photo;
    const first = (index * 7) % gallery.photos.length;
    const chosen = Array.from(
      { length: Math.min(plan.photoCount, gallery.photos.length) },
      (_, step) => gallery.photos[(first + step * 3) % gallery.photos.length],
    );
    const items = [...new Set(chosen)].map((id) => ({ id, gallery_id: gallery.id, sales_price: price }));
    const subtotal = items.length * price;
    const email = `${plan.firstName}.${plan.lastName}@families.test`.toLowerCase();
    const token = subtotal + plan.donationDollars > 0 ? await this.post<{ id: string }>('/sandbox/tokens', CARD) : null;
    const { vanity_id: vanityId } = await this.post<{ vanity_id: string }>('/api/v1/orders', {
      order: {
        user: { first_name: plan.firstName, last_name: plan.lastName, email, confirm_email: email, zip: CARD.zip },
        donation: `$${plan.donationDollars.toFixed(2)}`,
        taxes: 0,
        subtotal,
        org_id: gallery.organizationId,
        donation_gallery_id: gallery.id,
        checkout_key: `sideline-demo-order-${String(index).padStart(3, '0')}`,
      },
      stripe_token: token,
      items,
    });
    return vanityId;
  }
}
