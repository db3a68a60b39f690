/**
 * Credit codes in orders. A code is read when a cart is priced, and reserved under its lock in the transaction that
 * stores the order. The database spends or releases it in the statement that decides the order (migration 0101).
 * Refunds return it here.
 */
import { randomInt } from 'node:crypto';
import { CODE_UNKNOWN, CODE_USED_UP, type RefusedCode } from '#src/features/coupons/coupons.contract.ts';
import * as words from '#src/features/credit/credit.contract.ts';
import { creditCodeOf, makeUpCreditCode, returnedTo } from '#src/features/credit/credit.rules.ts';
import type { SoldCredit, SpentCredit, UsableCode } from '#src/features/credit/credit.rules.ts';
import { keptOf } from '#src/features/credit/disputed-credit.rules.ts';
import * as creditSql from '#src/features/credit/credit.sql.ts';
import type { CreditPart } from '#src/features/ledger/ledger.rules.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { refusedWith, type Limits } from '#src/platform/limits/rate-limits.ts';
import type { Keys } from '#src/platform/platform.ts';
import { openText, sealText, signValue } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { cents, toDollars, type Cents } from '#src/shared/money.ts';
import { problem, fieldProblem } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

const CODES = {
  kind: 'system',
  why: 'anyone who has a code may spend it; it is asked which seller it is for',
} as const;
/** Wrong codes that one address may try in an hour (A.9). */
const WRONG_BALANCES = 20;
/** Statuses of an order of credit that was paid, and not fully refunded. */
const OPEN: ReadonlySet<string> = new Set(['paid', 'partially_refunded', 'disputed']);

export type CreditService = ReturnType<typeof createCredit>;
type CreditDeps = { database: Database; limits: Limits; keys: Pick<Keys, 'creditCodes'> };

/** Typed codes that are credit codes of this seller, and those that are not ours. */
type ReadCredit = { usable: UsableCode[]; refused: RefusedCode[]; others: string[] };

const hashOf = (ctx: Pick<CreditDeps, 'keys'>, code: string) =>
  Buffer.from(signValue(ctx.keys.creditCodes, 'hash', code), 'base64url');

/** What typed codes may pay at a seller: its own credit, and its parent's. No query runs unless one looks like a credit code. */
export async function read(
  ctx: CreditDeps,
  seller: { id: number; parentOrganizationId: number | null },
  typed: readonly string[],
): Promise<ReadCredit> {
  const codes = new Map(
    typed.flatMap((text) => (creditCodeOf(text) ? [[creditCodeOf(text) ?? '', text] as const] : [])),
  );
  const answer: ReadCredit = { usable: [], refused: [], others: typed.filter((text) => creditCodeOf(text) === null) };
  if (codes.size === 0) return answer;
  const hashes = [...codes.keys()].map((code) => hashOf(ctx, code));
  const found = await ctx.database.read(CODES, (db) => creditSql.findOpenCodes(db, hashes));
  for (const [code, text] of codes) {
    const match = found.find(({ hash }) => hash === hashOf(ctx, code).toString('hex'));
    const isHeld = match?.processor === 'platform';
    const isHere =
      match?.organizationId === seller.id || (isHeld && match.organizationId === seller.parentOrganizationId);
    if (!match || !isHere) answer.others.push(text);
    else if (match.cents + match.bonusCents <= 0) answer.refused.push({ code: text, error: CODE_USED_UP });
    else answer.usable.push({ ...match, isHeld });
  }
  return answer;
}

/**
 * Reserves credit for an order, in the transaction that has just written it as pending, or as paid where codes pay all
 * of it.
 * @throws conflict when another order has spent some of it meanwhile
 */
export async function reserve(tx: Writer, orderId: number, spent: readonly SpentCredit[]) {
  if (spent.length === 0) return;
  await requireLeft(tx, spent);
  await creditSql.insertUses(tx, orderId, spent);
}

/**
 * Reserves the credit of a failed order again, in the transaction that has just reopened it for another card.
 * @throws as `reserve`
 */
export async function reserveAgain(tx: Writer, orderId: number): Promise<void> {
  const released = await creditSql.listReleased(tx, orderId);
  if (released.length === 0) return;
  await requireLeft(tx, released);
  await creditSql.reserveAgain(tx, orderId);
}

async function requireLeft(tx: Writer, wanted: readonly { id: number; cents: number; bonusCents: number }[]) {
  const ids = wanted.map(({ id }) => id);
  await creditSql.lockCodes(tx, ids);
  const open = new Map((await creditSql.listOpenCodes(tx, ids)).map((code) => [code.id, code]));
  const isLeft = wanted.every(({ id, cents: money, bonusCents }) => {
    const code = open.get(id);
    return code !== undefined && code.cents >= money && code.bonusCents >= bonusCents;
  });
  if (!isLeft) throw problem('conflict', words.CREDIT_CHANGED);
}

/** Returns credit to the codes that paid for an order, which is locked. Returns the amount of each code, for the ledger. */
export async function refundToCode(tx: Writer, orderId: number, amountCents: number): Promise<CreditPart[]> {
  const parts = returnedTo(await creditSql.listUsed(tx, orderId), amountCents).filter(({ backCents }) => backCents > 0);
  await creditSql.insertMovements(
    tx,
    parts.map(({ id, organizationId, backCents }) => ({
      codeId: id,
      organizationId,
      orderId,
      kind: 'returned',
      cents: backCents,
      bonusCents: 0,
    })),
  );
  return parts.map(({ organizationId, backCents, isHeld }) => ({
    organizationId,
    amountCents: cents(backCents),
    isHeld,
  }));
}

/** The whole order was refunded, so the bonus that made it cheaper returns, too. */
export async function refundBonus(tx: Writer, orderId: number): Promise<void> {
  const used = await creditSql.listUsed(tx, orderId);
  await creditSql.insertMovements(
    tx,
    used.flatMap(({ id, organizationId, bonusCents, returnedBonusCents }) =>
      bonusCents > returnedBonusCents
        ? [
            {
              codeId: id,
              organizationId,
              orderId,
              kind: 'returned' as const,
              cents: 0,
              bonusCents: bonusCents - returnedBonusCents,
            },
          ]
        : [],
    ),
  );
}

/** The part of the credit bought with this order that no one has spent or reserved; its code stays locked. */
export async function unusedOf(tx: Writer, orderId: number): Promise<Cents> {
  return cents(Math.max(0, (await creditSql.lockCodeOf(tx, orderId))?.unusedCents ?? 0));
}

/**
 * Handles a refund of an order of credit: takes as much off its code as is left, and returns that amount. This refund
 * is already counted in `inFlightCents`. The bonus ends with the last of it.
 */
export async function takeBack(
  tx: Writer,
  orderId: number,
  { amountCents, inFlightCents }: { amountCents: number; inFlightCents: number },
): Promise<Cents> {
  const code = await creditSql.lockCodeOf(tx, orderId);
  if (!code) return cents(0);
  const unused = Math.max(0, code.unusedCents + inFlightCents);
  const taken = Math.min(unused, amountCents);
  const isAll = taken === unused;
  if (taken > 0 || (isAll && code.bonusCents > 0))
    await creditSql.insertMovements(tx, [
      {
        codeId: code.id,
        organizationId: code.organizationId,
        orderId,
        kind: 'refunded',
        cents: 0 - taken,
        bonusCents: isAll ? 0 - code.bonusCents : 0,
      },
    ]);
  return cents(taken);
}

/** Credit that its seller keeps after a lost dispute: `organizationId` sold it by the order `orderId`. */
type LostCredit = { orderId: number; organizationId: number; movementId: number; isHeld: boolean; cents: Cents };

/**
 * Takes off the codes of an order what lost disputes of their charges took: no one can spend it. Of the code that the
 * order bought, and of those that it took money of, which may just have got it back. Changes nothing the second time.
 */
export async function takeLostCredit(tx: Writer, orderId: number): Promise<LostCredit[]> {
  const kept = (await creditSql.lockLost(tx, orderId))
    .map((code) => ({ ...code, ...keptOf(code) }))
    .filter((code) => code.cents + code.bonusCents > 0);
  const movements = await creditSql.insertMovements(
    tx,
    kept.map(({ id, organizationId, boughtBy, ...taken }) => ({
      codeId: id,
      organizationId,
      orderId: boughtBy,
      kind: 'disputed',
      cents: 0 - taken.cents,
      bonusCents: 0 - taken.bonusCents,
    })),
  );
  return kept.map(({ organizationId, boughtBy, isHeld, cents: amount }, at) => ({
    orderId: boughtBy,
    organizationId,
    movementId: movements[at] ?? 0,
    isHeld,
    cents: cents(amount),
  }));
}

/** What people could still spend of a seller's codes, in the caller's transaction. */
const unspentAt = async (tx: Writer, organizationId: number): Promise<Cents> =>
  cents(await creditSql.sumUnspent(tx, organizationId));

type CodeToKeep = Omit<creditSql.NewCode, 'hash' | 'sealed' | 'last4'>;

/** Creates the code of an order of credit, in the transaction that has just written the order; returns its id. */
export async function makeCode(ctx: CreditDeps, tx: Writer, kept: CodeToKeep): Promise<number> {
  const code = makeUpCreditCode(randomInt);
  const sealed = sealText(ctx.keys.creditCodes, code);
  return creditSql.insertCode(tx, { ...kept, hash: hashOf(ctx, code), sealed, last4: code.slice(-4) });
}

/** Decrypts the code, for its buyer. */
const openCode = (ctx: Pick<CreditDeps, 'keys'>, sealed: string): string =>
  openText(ctx.keys.creditCodes, Buffer.from(sealed, 'base64'));

/**
 * The code that an order bought, for its buyer: once it is paid, and of a disputed one while something of it can be spent
 * (decision record 0130). Of a partly refunded one nothing may be left, because the rest was spent.
 */
async function codeFor(ctx: CreditDeps, order: { status: string; soldCredit: SoldCredit | null }) {
  if (!order.soldCredit || !OPEN.has(order.status)) return null;
  const code = openCode(ctx, order.soldCredit.sealed);
  if (order.status === 'paid') return { code, leftCents: null };
  const [found] = await ctx.database.read(CODES, (db) => creditSql.findOpenCodes(db, [hashOf(ctx, code)]));
  return found ? { code, leftCents: found.cents + found.bonusCents } : null;
}

/** The balance of a code. @throws invalid for an unknown one; too_many after 20 of them in an hour */
export async function balance(ctx: CreditDeps, caller: Caller, typed: string) {
  const code = creditCodeOf(typed);
  const [found] = await ctx.database.read(CODES, (db) => creditSql.findOpenCodes(db, [hashOf(ctx, code ?? '')]));
  const limit = { bucket: `credit-balance:ip:${caller.ip}`, limit: WRONG_BALANCES, windowSeconds: HOUR_SECONDS };
  await refusedWith(words.TOO_MANY_BALANCES, found ? ctx.limits.check([limit]) : ctx.limits.take(limit));
  if (!found) throw fieldProblem({ code: [CODE_UNKNOWN] });
  return {
    id: found.id,
    answer: {
      balance: toDollars(found.cents),
      bonus: toDollars(found.bonusCents),
      bonus_until: found.bonusCents > 0 ? found.bonusUntil : null,
    },
  };
}

export const createCredit = (deps: CreditDeps) => ({
  reserve,
  reserveAgain,
  refundToCode,
  refundBonus,
  unusedOf,
  takeBack,
  takeLostCredit,
  unspentAt,
  ...bind(deps, { read, makeCode, openCode, codeFor, balance }),
});
