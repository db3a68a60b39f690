/**
 * Members create and print the cards of athletes. A card is stored twice: as keyed hashes, for lookups, and encrypted,
 * so that the same card can be printed again. A new card replaces the old one and its `yes`, or is added for a second
 * family.
 */
import { randomInt } from 'node:crypto';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import * as words from '#src/features/families/cards.contract.ts';
import * as cardsSql from '#src/features/families/cards.sql.ts';
import { CODE_LENGTH, KEY_BYTES, makeCode, printedCode, readCode } from '#src/features/families/families.rules.ts';
import { hashOfCard } from '#src/features/families/families.service.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Database, type Writer } from '#src/platform/db/db.ts';
import type { Keys } from '#src/platform/platform.ts';
import { openText, randomToken, sealText } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { fieldProblem, notFound } from '#src/shared/problem.ts';

const OWNERS = { kind: 'system', why: 'the organization of an athlete is looked up before it is known' } as const;

export type CardDeps = {
  database: Database;
  keys: Pick<Keys, 'familyCodes' | 'familyCards'>;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  consent: Pick<ConsentService, 'recallConsents'>;
};
export type CardService = ReturnType<typeof createCards>;

/** The secrets of a card: the code without its hyphen, and the key in its QR code. */
export type CardSecrets = { code: string; key: string };

/** New secrets, and what is stored of them. */
export const makeSecrets = (keys: CardDeps['keys'], athleteId: number | null) =>
  sealSecrets(keys, athleteId, makeCode(randomInt));

/** The same for a given code, without its hyphen. */
export function sealSecrets(
  keys: CardDeps['keys'],
  athleteId: number | null,
  code: string,
): CardSecrets & cardsSql.NewCard {
  const key = randomToken(KEY_BYTES);
  return {
    code,
    key,
    athleteId,
    codeHash: hashOfCard(keys, 'code', code),
    keyHash: hashOfCard(keys, 'key', key),
    secretsEncrypted: sealText(keys.familyCards, code + key).toString('base64'),
  };
}

export function openSecrets(keys: Pick<Keys, 'familyCards'>, sealed: string): CardSecrets {
  const text = openText(keys.familyCards, Buffer.from(sealed, 'base64'));
  return { code: text.slice(0, CODE_LENGTH), key: text.slice(CODE_LENGTH) };
}

/** The organization of an athlete that the caller may edit. @throws unauthenticated; not_found */
async function ownerOf(ctx: CardDeps, caller: Caller, athleteId: number) {
  requireUser(caller.actor);
  const id = await ctx.database.read(OWNERS, (db) => cardsSql.findOwnerOfAthlete(db, athleteId));
  if (id === null) throw notFound(words.ATHLETE_NOT_FOUND);
  return editedBy(ctx.organizations, caller, id, words.ATHLETE_NOT_FOUND);
}

function present(ctx: CardDeps, row: cardsSql.MemberCardRow): words.CardAnswer {
  return {
    id: row.id,
    code: printedCode(openSecrets(ctx.keys, row.secretsEncrypted).code),
    made_at: row.madeAt.toISOString(),
    first_opened_at: row.firstOpenedAt?.toISOString() ?? null,
    devices: row.devices,
    consent: row.consent,
  };
}

/** The valid cards of an athlete. @throws unauthenticated; not_found for other organizations */
export async function list(ctx: CardDeps, caller: Caller, athleteId: number): Promise<words.CardsAnswer> {
  const owner = await ownerOf(ctx, caller, athleteId);
  const rows = await ctx.database.read(tenantScope(owner.id), (db) => cardsSql.listCards(db, [athleteId]));
  return { cards: rows.map((row) => present(ctx, row)) };
}

/**
 * Creates a card for an athlete, or assigns a blank one. It ends all other cards of the athlete, one of them
 * (`replaces`), or none (null).
 * @throws unauthenticated; not_found for other organizations and for a card of another athlete; invalid for a code that
 * is not of a blank card
 */
export async function make(ctx: CardDeps, caller: Caller, athleteId: number, body: words.NewCardBody) {
  const owner = await ownerOf(ctx, caller, athleteId);
  const { replaces, code } = body ?? {};
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    await cardsSql.lockAthletes(tx, [athleteId]);
    const ended =
      replaces === null
        ? 0
        : await cardsSql.endCards(tx, athleteId, replaces === undefined ? 'all' : { cardId: replaces });
    if (ended === 0 && typeof replaces === 'number') throw notFound(words.CARD_NOT_FOUND);
    if (ended > 0) await ctx.consent.recallConsents(tx, { organizationId: owner.id, athleteIds: [athleteId] });
    if (code === undefined) await cardsSql.insertCards(tx, owner.id, [makeSecrets(ctx.keys, athleteId)]);
    else await fillIn(ctx, tx, { organizationId: owner.id, athleteId, code });
    const made = (await cardsSql.listCards(tx, [athleteId])).toSorted((a, b) => a.id - b.id);
    await ctx.audit.record(tx, caller, {
      action: 'card.made',
      organizationId: owner.id,
      object: ['athlete', athleteId],
      details: { ended, blank: code !== undefined },
    });
    return { cards: made.map((row) => present(ctx, row)) };
  });
}

async function fillIn(
  ctx: CardDeps,
  tx: Writer,
  { code, ...whose }: { organizationId: number; athleteId: number; code: string },
): Promise<void> {
  const codeHash = hashOfCard(ctx.keys, 'code', readCode(code) ?? '');
  if (!(await cardsSql.fillCard(tx, { ...whose, codeHash }))) throw fieldProblem({ code: [words.BLANK_NOT_FOUND] });
}

export const createCards = (deps: CardDeps) => bind(deps, { list, make });
