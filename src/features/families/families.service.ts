/**
 * A family opens the page of its child with the code or the QR code of a card. A signed cookie stores which cards the
 * browser has opened. Their children are read from the database each time, so that a replaced card stops working
 * immediately.
 */
import { recipientsOf } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { familySees, type ConsentService } from '#src/features/consent/consent.service.ts';
import { lockAthletes } from '#src/features/families/cards.sql.ts';
import * as words from '#src/features/families/families.contract.ts';
import * as emails from '#src/features/families/families.mail.tsx';
import { childLabel, guesserOf, readCode, readEntry, readKey } from '#src/features/families/families.rules.ts';
import * as familiesSql from '#src/features/families/families.sql.ts';
import type { CardRow } from '#src/features/families/families.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { brandOf, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { PUBLIC, tenantScope, type Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { signValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay, HOUR_SECONDS } from '#src/shared/dates.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const NOTIFYING = { kind: 'system', why: 'members of every organization are warned of guessed codes' } as const;

type FamilyDeps = Pick<Platform, 'database' | 'clock' | 'limits' | 'outbox'> & {
  keys: Pick<Keys, 'familyCodes'>;
  organizations: Pick<OrganizationService, 'byHostLabel' | 'byId'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};
export type FamilyService = ReturnType<typeof createFamilies>;

type RefusalDeps = FamilyDeps & { consent: Pick<ConsentService, 'recallConsents'> };
export type RefusalService = ReturnType<typeof createRefusals>;

/** A child that is open in the caller's browser. */
export type OpenChild = CardRow & { athleteId: number; label: string };

/** The stored hash of a code, or of the key in a QR code; `signs` is without a hyphen. */
export function hashOfCard(keys: Pick<Keys, 'familyCodes'>, kind: 'code' | 'key', signs: string): Buffer {
  return Buffer.from(signValue(keys.familyCodes, kind, signs), 'base64url');
}

const isOpen = (card: CardRow): card is CardRow & { athleteId: number } => !card.ended && card.athleteId !== null;
const isBelow = (host: Organization, card: CardRow): boolean =>
  card.organizationId === host.id || card.parentOrganizationId === host.id;

/**
 * The children whose cards this browser has opened on the host of its request, in the order of opening. Cards that were
 * replaced or refused since, or belong to another parent, are left out. Runs no query without the cookie.
 */
export async function familyAthletes(ctx: FamilyDeps, { family }: Pick<Caller, 'family'>): Promise<OpenChild[]> {
  if (!family) return [];
  const host = await ctx.organizations.byHostLabel(family.hostLabel);
  if (!host) return [];
  const rows = await ctx.database.read(PUBLIC, (db) => familiesSql.findCards(db, family.cards));
  const placeOf = (card: CardRow) => family.cards.findIndex((hash) => hash.equals(card.codeHash));
  const children = new Map<number, OpenChild>();
  for (const card of rows.toSorted((a, b) => placeOf(a) - placeOf(b)))
    if (isOpen(card) && isBelow(host, card) && !children.has(card.athleteId))
      children.set(card.athleteId, { ...card, label: childLabel(card) });
  return [...children.values()];
}

/** The child with this id among those that are open. @throws not_found */
export async function openChild(ctx: FamilyDeps, caller: Caller, athleteId: number): Promise<OpenChild> {
  const found = (await familyAthletes(ctx, caller)).find((child) => child.athleteId === athleteId);
  if (!found) throw notFound(words.CHILD_NOT_FOUND);
  return found;
}

/** The given photos that a card of this browser shows. Runs no query without the cookie. */
export async function seenPhotos(ctx: FamilyDeps, caller: Caller, photoIds: readonly number[]) {
  const children = photoIds.length === 0 ? [] : await familyAthletes(ctx, caller);
  if (children.length === 0) return new Set<number>();
  const [athleteIds, organizationIds] = [
    children.map(({ athleteId }) => athleteId),
    [...new Set(children.map(({ organizationId }) => organizationId))],
  ];
  return new Set(
    await ctx.database.read(tenantScope(...organizationIds), (db) =>
      familiesSql.listSeen(db, { athleteIds, photoIds }),
    ),
  );
}

/** Whether a card of this browser shows the photo. Runs no query without the cookie. */
export async function mayShow(
  ctx: FamilyDeps,
  caller: Caller,
  photo: { photoId: number; galleryId: number },
): Promise<boolean> {
  const children = await familyAthletes(ctx, caller);
  return familySees(
    ctx,
    children.map(({ athleteId }) => athleteId),
    photo,
  );
}

export const presentChild = ({ athleteId, label, teamName, number }: OpenChild): words.ChildAnswer => ({
  id: athleteId,
  label,
  team: teamName,
  number,
});

/** Counts a wrong code for its sender and for the organization, whose members are notified at most once a day. */
async function countWrong(ctx: FamilyDeps, host: Organization): Promise<void> {
  const limit = {
    bucket: `family:wrong:${host.id}`,
    limit: words.WRONG_CODES_REPORTED - 1,
    windowSeconds: HOUR_SECONDS,
  };
  if (await mayTake(ctx.limits, limit)) return;
  const day = machineDay(ctx.clock.now(), host.timeZone);
  await ctx.database.write(NOTIFYING, async (tx) => {
    for (const { email: to } of await recipientsOf(tx, host.id))
      await ctx.outbox.queueEmail(tx, emails.guessesEmail({ to, brand: brandOf(host), organizationId: host.id, day }));
  });
}

/** Finds the card; one query, whatever the result. */
async function findShown(ctx: FamilyDeps, host: Organization, body: words.OpenFamilyBody): Promise<CardRow | null> {
  const entry = body.key === undefined ? readEntry(body.code ?? '') : { key: body.key };
  const hash =
    'key' in entry
      ? hashOfCard(ctx.keys, 'key', readKey(entry.key) ?? '')
      : hashOfCard(ctx.keys, 'code', readCode(entry.code) ?? '');
  const [card] = await ctx.database.read(PUBLIC, (db) => familiesSql.findCards(db, [hash]));
  return card && isBelow(host, card) ? card : null;
}

/**
 * Opens a card in this browser. One sender may try ten wrong codes an hour; right ones do not count (athletes
 * specification B.11).
 * @returns the child, and the cards that the browser keeps from now on
 * @throws unauthenticated for a code that is unknown, replaced or blank; conflict for a ninth child; too_many
 */
export async function open(
  ctx: FamilyDeps,
  caller: Caller,
  hostLabel: string | null,
  body: words.OpenFamilyBody,
): Promise<{ child: words.ChildAnswer; cards: readonly Buffer[] }> {
  const host = hostLabel === null ? null : await ctx.organizations.byHostLabel(hostLabel);
  if (!host) throw notFound();
  const tries = {
    bucket: `family:${host.id}:${guesserOf(caller.ip)}`,
    limit: words.WRONG_CODES_AN_HOUR,
    windowSeconds: HOUR_SECONDS,
  };
  await ctx.limits.take(tries);
  const card = await findShown(ctx, host, body);
  const message = refusalOf(card);
  if (message === null || message === words.CARD_IS_BLANK) await ctx.limits.refund(tries);
  else await countWrong(ctx, host);
  if (message !== null || !card || !isOpen(card))
    throw problem('unauthenticated', message ?? words.CODE_UNKNOWN, {
      errors: { code: [message ?? words.CODE_UNKNOWN] },
    });
  return openCard(ctx, caller, card);
}

function refusalOf(card: CardRow | null): string | null {
  if (card === null) return words.CODE_UNKNOWN;
  if (card.ended) return words.CODE_REPLACED;
  return card.athleteId === null ? words.CARD_IS_BLANK : null;
}

async function openCard(ctx: FamilyDeps, caller: Caller, card: CardRow & { athleteId: number }) {
  const before = await familyAthletes(ctx, caller);
  const others = before.filter(({ athleteId }) => athleteId !== card.athleteId);
  if (others.length >= words.MAX_CHILDREN)
    throw problem('conflict', words.TOO_MANY_CHILDREN, { errors: { code: [words.TOO_MANY_CHILDREN] } });
  const isNew = !caller.family?.cards.some((hash) => hash.equals(card.codeHash));
  if (isNew)
    await ctx.database.write(tenantScope(card.organizationId), (tx) => familiesSql.countDevice(tx, card.cardId));
  return {
    child: presentChild({ ...card, label: childLabel(card) }),
    cards: [...others, card].map(({ codeHash }) => codeHash),
  };
}

/** The cards that the browser keeps without this child; forgetting one that is not open changes nothing. */
export async function forget(ctx: FamilyDeps, caller: Caller, athleteId: number): Promise<readonly Buffer[]> {
  const open = await familyAthletes(ctx, caller);
  return open.filter((child) => child.athleteId !== athleteId).map(({ codeHash }) => codeHash);
}

/**
 * "This is not my child": the card stops working in every browser, its `yes` no longer counts, and the members are
 * notified.
 * @returns the cards that the browser keeps
 * @throws not_found
 */
export async function refuse(ctx: RefusalDeps, caller: Caller, athleteId: number): Promise<readonly Buffer[]> {
  const child = await openChild(ctx, caller, athleteId);
  const { cardId, organizationId } = child;
  const organization = await ctx.organizations.byId(organizationId);
  await ctx.database.write(NOTIFYING, async (tx) => {
    await lockAthletes(tx, [athleteId]);
    if (!organization || !(await familiesSql.refuseCard(tx, cardId))) return;
    await ctx.consent.recallConsents(tx, { organizationId, athleteIds: [athleteId] });
    await ctx.audit.record(
      tx,
      { actor: caller.actor },
      { action: 'card.refused', organizationId, object: ['athlete', athleteId], details: { card_id: cardId } },
    );
    await notifyMembers(ctx, tx, organization, child);
  });
  return forget(ctx, caller, athleteId);
}

/** Names no child: members see the details on their own page. */
async function notifyMembers(ctx: FamilyDeps, tx: Writer, organization: Organization, child: OpenChild): Promise<void> {
  const hostLabel = await hostLabelOf(ctx.organizations, organization);
  const link = siteUrl(ctx.origin, hostLabel, `/${organization.domainName}/roster`);
  const { cardId, teamName, number } = child;
  for (const { email: to } of await recipientsOf(tx, organization.id))
    await ctx.outbox.queueEmail(
      tx,
      emails.cardRefusedEmail({ to, brand: brandOf(organization), cardId, team: teamName, number, link }),
    );
}

export const createFamilies = (deps: FamilyDeps) =>
  bind(deps, { familyAthletes, openChild, seenPhotos, mayShow, open, forget });

/** Separate, because consent is composed after families. */
export const createRefusals = (deps: RefusalDeps) => bind(deps, { refuse });
