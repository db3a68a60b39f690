/**
 * People ask for emails about new photos of a child or a number. The answer is the same for every address, and nothing
 * is sent without a click in the first email. Afterwards there is one email for all new photos, once the galleries are
 * quiet, and at most one a day; each has links to stop it.
 */
import type { FamilyService } from '#src/features/families/families.service.ts';
import { familyPath } from '#src/features/families/families.rules.ts';
import { galleryPath } from '#src/features/galleries/gallery-link.rules.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { brandOf, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import * as contract from '#src/features/watches/watches.contract.ts';
import * as emails from '#src/features/watches/watches.mail.tsx';
import {
  isWatchKey,
  numberInWords,
  playerInWords,
  watchPath,
  type Player,
} from '#src/features/watches/watches.rules.ts';
import * as watchesSql from '#src/features/watches/watches.sql.ts';
import type { News, Target } from '#src/features/watches/watches.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { hashToken, openText, randomToken, sealText, signValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

const ASKED = { kind: 'system', why: 'an address may watch players of every organization of a tree' } as const;
const BY_KEY = { kind: 'system', why: 'the key of an email is looked up before its organization is known' } as const;
const NOTIFYING = { kind: 'system', why: 'watchers of every organization are notified' } as const;
/** Rows of news in one run; the rest waits for the next one. */
const NEWS_AT_ONCE = 4_000;
/** In one transaction. */
const EMAILS_PER_BATCH = 200;
/** A limit, so that receipts do not wait behind these emails. */
const EMAILS_A_SECOND = 20;

type WatchDeps = Pick<Platform, 'database' | 'clock' | 'limits'> & {
  outbox: Pick<Outbox, 'queueEmail' | 'queueEmails'>;
  keys: Pick<Keys, 'watchKeys'>;
  organizations: Pick<OrganizationService, 'byHostLabel' | 'byId'>;
  families: Pick<FamilyService, 'openChild'>;
  origin: SiteOrigin;
};
export type WatchService = ReturnType<typeof createWatches>;

type Wanted = { organizationId: number; target: Target; player: Player };

/**
 * The requested watch; null for a team that the public of this host may not watch.
 * @throws not_found for a child that is not open here
 */
async function wantedOf(ctx: WatchDeps, caller: Caller, host: Organization, body: contract.WatchBody) {
  const { child, team_id: teamId = 0, number = '' } = body;
  if (child !== undefined) {
    const { organizationId, athleteId, cardId, teamName, number: own } = await ctx.families.openChild(caller, child);
    return { organizationId, target: { athleteId, cardId }, player: { number: own, team: teamName } } satisfies Wanted;
  }
  const team = await ctx.database.read(ASKED, (db) => watchesSql.findWatchableTeam(db, teamId));
  if (!team || (team.organizationId !== host.id && team.parentOrganizationId !== host.id)) return null;
  const { organizationId, name } = team;
  return { organizationId, target: { teamId, number }, player: { number, team: name } } satisfies Wanted;
}

/**
 * Sends the first email, or does nothing: the answer is the same.
 * @throws not_found for a child that is not open in this browser; too_many for one sender
 */
export async function requestWatch(ctx: WatchDeps, caller: Caller, hostLabel: string | null, body: contract.WatchBody) {
  const host = hostLabel === null ? null : await ctx.organizations.byHostLabel(hostLabel);
  if (!host) throw notFound();
  await ctx.limits.take({
    bucket: `watch:ip:${caller.ip}`,
    limit: contract.ASKED_AN_HOUR,
    windowSeconds: HOUR_SECONDS,
  });
  const wanted = await wantedOf(ctx, caller, host, body);
  const message = contract.watchRequested(numberInWords(wanted ? wanted.player.number : (body.number ?? null)));
  if (!wanted) return { message };
  await ctx.database.write(ASKED, async (tx) => {
    await watchesSql.lockAddress(tx, body.email);
    const key = await insertWatch(ctx, tx, host, { ...wanted, email: body.email });
    if (key !== null && (await mayTake(ctx.limits, emailsTo(ctx, body.email))))
      await sendFirst(ctx, tx, { ...wanted, email: body.email, key });
  });
  return { message };
}

/** The limit of an address for all watches together; the counter stores no address. */
const emailsTo = (ctx: WatchDeps, email: string) => ({
  bucket: `watch:to:${signValue(ctx.keys.watchKeys, 'address', email.toLowerCase())}`,
  limit: contract.EMAILS_AN_HOUR,
  windowSeconds: HOUR_SECONDS,
});

const isSame = (watch: watchesSql.WatchOfAddress, target: Target): boolean =>
  'athleteId' in target
    ? watch.athleteId === target.athleteId
    : watch.teamId === target.teamId && watch.number === target.number;

/** The key of the watch, which waits for its confirmation; null if it is already confirmed, or the address has the maximum. */
async function insertWatch(ctx: WatchDeps, tx: Writer, host: Organization, wanted: Wanted & { email: string }) {
  const watches = await watchesSql.listOfAddress(tx, host.id, wanted.email);
  const known = watches.find((watch) => isSame(watch, wanted.target) && watch.keyEncrypted !== null);
  if (known) {
    if (known.confirmed && !known.stopped) return null;
    await watchesSql.requestConfirmation(tx, known.id);
    return openText(ctx.keys.watchKeys, Buffer.from(known.keyEncrypted ?? '', 'base64'));
  }
  const open = watches.filter(({ stopped }) => !stopped);
  const pending = open.filter(({ confirmed }) => !confirmed);
  if (open.length - pending.length >= contract.MAX_OPEN_WATCHES) return null;
  // Unconfirmed watches, which anyone may have requested, are replaced by new ones.
  const excess = Math.max(0, open.length + 1 - contract.MAX_OPEN_WATCHES);
  const oldest = pending.slice(0, excess).map(({ id }) => id);
  await watchesSql.deleteWatches(tx, oldest);
  const key = randomToken(32);
  const keyEncrypted = sealText(ctx.keys.watchKeys, key).toString('base64');
  await watchesSql.insertWatch(tx, { ...wanted, keyHash: hashToken(key), keyEncrypted });
  return key;
}

async function sendFirst(ctx: WatchDeps, tx: Writer, to: Wanted & { email: string; key: string }): Promise<void> {
  const place = await placeOf(ctx, to.organizationId);
  if (!place) return;
  await ctx.outbox.queueEmail(
    tx,
    emails.confirmWatchEmail({
      to: to.email,
      brand: brandOf(place.organization),
      dedupeKey: watchEmailKey('asked', to.organizationId),
      player: to.player,
      link: siteUrl(ctx.origin, place.hostLabel, watchPath('confirm', to.key)),
    }),
  );
}

/** Starts with the organization, whose emails are deleted when it forgets a child (roster/forgetting.sql.ts). */
const watchEmailKey = (kind: 'asked' | 'news', organizationId: number) =>
  `watch-${kind}-${organizationId}-${randomToken(16)}`;

/** An organization, and the host of its pages. */
async function placeOf(ctx: WatchDeps, organizationId: number) {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) return null;
  return { organization, hostLabel: await hostLabelOf(ctx.organizations, organization) };
}

type WatchPage = {
  organization: { name: string; path: string } | null;
  /** "number 10" */
  number: string;
  /** "number 10 of Hawks U12" */
  player: string;
  stopped: boolean;
};

/** @throws not_found for a key that does not work */
async function byKey(ctx: WatchDeps, key: string) {
  const watch = isWatchKey(key)
    ? await ctx.database.read(BY_KEY, (db) => watchesSql.findByKey(db, hashToken(key)))
    : null;
  if (!watch) throw notFound(contract.LINK_UNKNOWN);
  return watch;
}

async function pageOf(ctx: WatchDeps, watch: watchesSql.KeyedWatch, stopped: boolean): Promise<WatchPage> {
  const organization = await ctx.organizations.byId(watch.organizationId);
  return {
    organization: organization && { name: organization.name, path: organization.domainName },
    number: numberInWords(watch.number),
    player: playerInWords(watch),
    stopped,
  };
}

/** The subject of a link in an email. @throws not_found */
export async function read(ctx: WatchDeps, key: string): Promise<WatchPage> {
  const watch = await byKey(ctx, key);
  return pageOf(ctx, watch, watch.stopped);
}

/** The second step, and the undo of a stop; with `all` for everything that was stopped together. Idempotent. @throws not_found */
export async function confirm(ctx: WatchDeps, key: string, all: boolean): Promise<WatchPage> {
  const watch = await byKey(ctx, key);
  await ctx.database.write(BY_KEY, async (tx) => {
    const ids = all ? await watchesSql.listOfSameAddress(tx, watch) : [watch.id];
    await watchesSql.confirmWatches(tx, ids);
  });
  return pageOf(ctx, watch, false);
}

/**
 * Stops emails about this player, or with `all` about every player of this address at the organization. Idempotent.
 * @throws not_found
 */
export async function stop(ctx: WatchDeps, key: string, all: boolean): Promise<WatchPage> {
  const watch = await byKey(ctx, key);
  await ctx.database.write(BY_KEY, async (tx) => {
    const ids = all ? await watchesSql.listOfSameAddress(tx, watch) : [watch.id];
    await watchesSql.stopWatches(tx, ids, ctx.clock.now());
  });
  return pageOf(ctx, watch, true);
}

/**
 * Notifies watchers of new photos: one email for each address and organization, many in one transaction. Returns how
 * many emails were written.
 */
export async function sendNews(ctx: WatchDeps): Promise<number> {
  const now = ctx.clock.now();
  await ctx.database.write(NOTIFYING, (tx) => watchesSql.deleteOld(tx, now));
  const news = await ctx.database.read(NOTIFYING, (db) => watchesSql.listNews(db, now, NEWS_AT_ONCE));
  const planned = [...emailsOf(news).values()];
  // The last address may have more rows than were read.
  if (news.length === NEWS_AT_ONCE && planned.length > 1) planned.pop();
  // Each run sends an address one email within its limit. Emails of other organizations wait for the next run.
  const ofAddress = Map.groupBy(planned, (rows) => bucketOf(ctx, rows));
  const firsts = [...ofAddress].flatMap(([bucket, [first]]) => (first ? [{ bucket, rows: first }] : []));
  const places = await placesOf(ctx, new Set(firsts.flatMap(({ rows }) => rows.map((row) => row.organizationId))));
  let written = 0;
  for (let from = 0; from < firsts.length; from += EMAILS_PER_BATCH)
    written += await notifyMany(ctx, { planned: firsts.slice(from, from + EMAILS_PER_BATCH), places, now, written });
  return written;
}

type Place = NonNullable<Awaited<ReturnType<typeof placeOf>>>;
type PlannedEmail = { bucket: string; rows: readonly News[] };
type Batch = { planned: readonly PlannedEmail[]; places: ReadonlyMap<number, Place>; now: Date; written: number };

const emailsOf = (news: readonly News[]) =>
  Map.groupBy(news, ({ organizationId, email }) => `${organizationId} ${email.toLowerCase()}`);
const bucketOf = (ctx: WatchDeps, [first]: readonly News[]) => emailsTo(ctx, first?.email ?? '').bucket;

async function placesOf(ctx: WatchDeps, organizationIds: ReadonlySet<number>): Promise<Map<number, Place>> {
  const places = new Map<number, Place>();
  for (const id of organizationIds) {
    const place = await placeOf(ctx, id);
    if (place) places.set(id, place);
  }
  return places;
}

/** The watches and the emails are written in one transaction: a crash leaves neither. */
async function notifyMany(ctx: WatchDeps, { planned, places, now, written }: Batch): Promise<number> {
  const placeOfRows = ([first]: readonly News[]) => (first ? places.get(first.organizationId) : undefined);
  const possible = planned.filter(({ rows }) => placeOfRows(rows));
  const allowed = await ctx.limits.takeEach(
    possible.map(({ bucket }) => bucket),
    { limit: contract.EMAILS_AN_HOUR, windowSeconds: HOUR_SECONDS },
  );
  const wanted = possible.filter(({ bucket }) => allowed.has(bucket)).map(({ rows }) => rows);
  if (wanted.length === 0) return 0;
  // Rendered before the transaction, which should not wait for hundreds of emails.
  const emailOfRows = new Map(
    wanted.flatMap((rows) => {
      const place = placeOfRows(rows);
      return place ? [[rows, writeEmail(ctx, place, rows)] as const] : [];
    }),
  );
  return ctx.database.write(NOTIFYING, async (tx) => {
    const news = await watchesSql.markNotified(tx, wanted, now);
    const emailsOut = news.flatMap((rows) => emailOfRows.get(rows) ?? []);
    await ctx.outbox.queueEmails(tx, emailsOut, { aSecond: EMAILS_A_SECOND, behind: written });
    return emailsOut.length;
  });
}

function writeEmail(ctx: WatchDeps, place: { organization: Organization; hostLabel: string }, rows: readonly News[]) {
  const link = (path: string) => siteUrl(ctx.origin, place.hostLabel, path);
  const keyOf = ({ keyEncrypted }: News) => openText(ctx.keys.watchKeys, Buffer.from(keyEncrypted, 'base64'));
  const affiliate = place.organization.domainName;
  const news = [...Map.groupBy(rows, ({ watchId }) => watchId).values()].flatMap((ofWatch) => {
    const [most] = ofWatch;
    if (!most) return [];
    const { isChild, galleryId, number } = most;
    const gallery = galleryPath({ affiliate, galleryId });
    return {
      player: most,
      photos: ofWatch.reduce((sum, { photos }) => sum + photos, 0),
      link: link(isChild ? familyPath(affiliate) : `${gallery}?search=${number ?? ''}`),
      stopLink: link(watchPath('stop', keyOf(most))),
    };
  });
  const [first] = rows as [News, ...News[]];
  return emails.newPhotosEmail({
    to: first.email,
    brand: brandOf(place.organization),
    dedupeKey: watchEmailKey('news', first.organizationId),
    news,
    stopAllLink: link(watchPath('stop', keyOf(first), true)),
  });
}

export const createWatches = (deps: WatchDeps) => bind(deps, { requestWatch, read, confirm, stop, sendNews });
