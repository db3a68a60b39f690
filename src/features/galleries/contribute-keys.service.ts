/**
 * Keys that let someone without a session send photos to one gallery (rule 8). They are in `galleries`, not in
 * `collaborators`, because a gallery's own link is created with the gallery, and a key's holder is found when a gallery is
 * read.
 */
import * as contributeKeysSql from '#src/features/galleries/contribute-keys.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { hashToken, randomToken, sealText } from '#src/platform/secrets.ts';

/** 128 random bits. */
const KEY_BYTES = 16;
/** They are 22 characters of base64url. */
const KEY = /^[A-Za-z0-9_-]{22}$/;

/** A new key, and what is stored of it. */
export function makeKey(): { key: string; keyHash: Buffer } {
  const key = randomToken(KEY_BYTES);
  return { key, keyHash: hashToken(key) };
}

/** The stored hash of a key; null for text that cannot be a key. */
export function hashOfKey(text: string): Buffer | null {
  return KEY.test(text) ? hashToken(text) : null;
}

/** Gives a gallery a new link; the previous one must have ended. Null: no end, no limit of photos. Returns the key. */
export async function giveLink(
  tx: Writer,
  gallery: { id: number; organizationId: number },
  options: { sealingKey: Buffer; expiresAt: Date | null; quota: number | null },
): Promise<string> {
  const { key, keyHash } = makeKey();
  await contributeKeysSql.insertKey(tx, {
    key_hash: keyHash,
    key_encrypted: sealText(options.sealingKey, key),
    gallery_id: gallery.id,
    organization_id: gallery.organizationId,
    expires_at: options.expiresAt,
    quota: options.quota,
  });
  return key;
}
