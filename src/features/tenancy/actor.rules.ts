/**
 * Who is calling, and what that alone allows. Two different roles exist and are never
 * compared with each other: a user's `roleId` (2 = platform admin) and a membership's
 * `role` (2 = administers that organization).
 */
import type { TokenScope } from '#src/features/tenancy/token-scopes.contract.ts';
import { notFound, problem } from '#src/shared/problem.ts';

type Membership = { organizationId: number; role: 1 | 2 };

export type SignedIn = {
  kind: 'user';
  userId: number;
  roleId: 1 | 2;
  memberships: readonly Membership[];
  /** Identifies the session without giving access to it. */
  sessionHash: Buffer;
  /** When the password was last typed (rule 47). */
  confirmedAt: Date;
  /** Someone else chose the password: until the user chooses another one the session has no rights (threat D17). */
  mustChangePassword?: true;
};

/** A program with an API token: it works for one organization, within its scopes, and never as anyone else. */
export type TokenActor = {
  kind: 'token';
  tokenId: number;
  organizationId: number;
  scopes: readonly TokenScope[];
  /** The token's creator, who is responsible for what it does. */
  userId: number;
};

export type Actor =
  | { kind: 'visitor' }
  | SignedIn
  | TokenActor
  | { kind: 'contributor'; keyHash: Buffer; galleryId: number; organizationId: number }
  | { kind: 'system'; why: string };

/** Everything that a request says about its sender; the first argument of services. */
export type Caller = {
  actor: Actor;
  /** From the signed visitor cookie; null until it is needed. */
  visitorId: string | null;
  /** Unlock proofs by gallery id, unchecked; the galleries module checks them. */
  unlocks: ReadonlyMap<number, string>;
  /** What limits count as one sender: an IPv4 address, or a /64 of IPv6. */
  ip: string;
  /** From the signed cookie of families; absent for everyone else. */
  family?: FamilyOfBrowser;
};

/** Someone of whom nothing is known: what is shown to everyone is read as this caller. */
export const VISITOR: Caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '' };

/**
 * The cards of children that a browser has opened on one host. Their children, and whether they are still valid:
 * `features/families`.
 */
export type FamilyOfBrowser = {
  hostLabel: string;
  /** The stored hashes of their codes, 32 bytes each. */
  cards: readonly Buffer[];
};

/** An object of a tenant, with its owner. */
export type Owned = { organizationId: number; parentOrganizationId: number | null };

/**
 * A member of the organization or of its parent, or a platform admin; also a token of this very organization, but not of its
 * parent: organizations below a parent have their own tokens.
 */
export function mayEdit(actor: Actor, owned: Owned): boolean {
  if (actor.kind === 'system') return true;
  if (actor.kind === 'token') return actor.organizationId === owned.organizationId;
  if (actor.kind !== 'user') return false;
  return actor.roleId === 2 || belongsTo(actor, owned);
}

/** Someone who administers the organization or its parent. */
export function belongsTo(actor: Actor, owned: Owned): boolean {
  return (
    actor.kind === 'user' &&
    actor.memberships.some(
      (membership) =>
        membership.role === 2 &&
        (membership.organizationId === owned.organizationId ||
          membership.organizationId === owned.parentOrganizationId),
    )
  );
}

export function isPlatformAdmin(actor: Actor): boolean {
  return actor.kind === 'system' || (actor.kind === 'user' && actor.roleId === 2);
}

/** For every call that needs a session. */
export const LOG_IN_FIRST = 'Please log in.';

/** A request header of our pages: the id of the user for whom the page was loaded. */
export const VIEWER_HEADER = 'x-viewer-id';

/** For every call of a session whose password someone else chose. */
export const CHOOSE_OWN_FIRST = 'Please choose your own password first.';

/**
 * Allows editors of `owned`. A visitor gets 401; other sessions get 404, as if the object did not exist (threat model 2.2):
 * `missing` is what they would read then.
 */
export function requireEditor(actor: Actor, owned: Owned, missing?: string): void {
  if (mayEdit(actor, owned)) return;
  if (actor.kind === 'visitor') throw problem('unauthenticated', LOG_IN_FIRST);
  throw notFound(missing);
}

/** The signed-in user, or 401. */
export function requireUser(actor: Actor): SignedIn {
  if (actor.kind !== 'user') throw problem('unauthenticated', LOG_IN_FIRST);
  return actor;
}

/** The signed-in user's id, or that of the token's creator; else 401. For limits and the owner of uploads, never for rights. */
export function requireUserId(actor: Actor): number {
  return actor.kind === 'token' ? actor.userId : requireUser(actor).userId;
}

/** A token reads nothing of other organizations, not even public facts. */
export const isForeignToken = (actor: Actor, owned: Pick<Owned, 'organizationId'>): boolean =>
  actor.kind === 'token' && actor.organizationId !== owned.organizationId;

/** Someone who may have more rights than a visitor: then it is worth reading what visitors cannot see. */
export const isKnown = (actor: Actor): boolean => actor.kind === 'user' || actor.kind === 'token';

const PLATFORM_ADMINS_ONLY = 'Only platform administrators can do this.';

/** Allows platform admins: a visitor gets 401, other sessions 403. */
export function requirePlatformAdmin(actor: Actor): void {
  if (isPlatformAdmin(actor)) return;
  if (actor.kind === 'user') throw problem('forbidden', PLATFORM_ADMINS_ONLY);
  throw problem('unauthenticated', LOG_IN_FIRST);
}

/** The same, for what a person does. */
export function requireAdminUser(actor: Actor): SignedIn {
  requirePlatformAdmin(actor);
  return requireUser(actor);
}
