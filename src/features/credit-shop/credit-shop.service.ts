/**
 * Credit for its seller: what is offered, and the balance of each code, without the codes. It also sends gifts on their
 * day, and forgets their receivers afterwards.
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { BalanceBody } from '#src/features/credit/credit.contract.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import { insertMovements, listOpenCodes } from '#src/features/credit/credit.sql.ts';
import { buy, soldFor, type BuyingContext } from '#src/features/credit-shop/buying.service.ts';
import * as words from '#src/features/credit-shop/credit-shop.contract.ts';
import { presentOffered, problemsOf, USUAL } from '#src/features/credit-shop/credit-shop.rules.ts';
import { sendGiftsJob } from '#src/features/credit-shop/credit-shop.jobs.ts';
import * as shopSql from '#src/features/credit-shop/credit-shop.sql.ts';
import { giftEmail, giftEmailKey } from '#src/features/credit-shop/gift.mail.tsx';
import { isVanityId } from '#src/features/orders/receipt.rules.ts';
import { postings } from '#src/features/ledger/ledger.rules.ts';
import { requireUser, requireAdminUser, type Caller, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { DAY_SECONDS, HOUR_SECONDS, machineDay } from '#src/shared/dates.ts';
import { present } from '#src/shared/field-names.ts';
import { cents, formatDollars, toDollars } from '#src/shared/money.ts';
import { pageOf } from '#src/shared/paging.ts';
import { notFound, problem, refuseFields } from '#src/shared/problem.ts';

const GIFTS = { kind: 'system', why: 'the worker sends the gifts of every seller' } as const;
const PAYING = { kind: 'system', why: 'platform admins work in every tenant' } as const;
const GIFTS_AT_A_TIME = 100;
/** Changed addresses of one sender in an hour, and of one gift in a day. */
const CHANGES_OF_SENDER = 20;
const CHANGES_OF_GIFT = 5;

type CreditShopDeps = BuyingContext & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  accounts: { requireRecentPassword(actor: SignedIn): void };
  credit: Pick<CreditService, 'openCode' | 'balance'>;
};
export type CreditShop = ReturnType<typeof createCreditShop>;

/** What is offered, and the codes that were sold. @throws unauthenticated; not_found */
export async function list(
  ctx: CreditShopDeps,
  caller: Caller,
  organizationId: number,
  { after = null, limit = words.CODES_PER_PAGE }: { after?: number | null | undefined; limit?: number | undefined },
): Promise<words.CreditPage> {
  requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const [settings, rows] = await ctx.database.read(tenantScope(owner.id), async (db) => [
    await shopSql.findSettings(db, owner.id),
    await shopSql.listCodes(db, owner.id, { after, limit: limit + 1 }),
  ]);
  const page = pageOf(rows, limit);
  return {
    settings: presentOffered(settings ?? USUAL),
    codes: page.shown.map((row) => present(words.soldCode, row)),
    next: page.next,
  };
}

/** Sets what is offered from now on. @throws unauthenticated; not_found; invalid */
export async function offer(ctx: CreditShopDeps, caller: Caller, organizationId: number, given: words.CreditSettings) {
  requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  refuseFields(problemsOf(given, machineDay(ctx.clock.now(), owner.timeZone)));
  const offered = {
    active: given.active,
    amounts: given.amounts
      .map(({ amount, bonus }) => ({ cents: amount, bonusCents: bonus ?? 0 }))
      .toSorted((one, other) => one.cents - other.cents),
    bonusUntil: given.bonus_until || null,
  };
  const answer = presentOffered(offered);
  await ctx.database.write(tenantScope(owner.id), async (tx) => {
    await shopSql.saveSettings(tx, owner.id, offered);
    await ctx.audit.record(tx, caller, {
      action: 'credit.offered',
      organizationId: owner.id,
      object: ['organization', owner.id],
      details: answer,
    });
  });
  return answer;
}

/**
 * Pays out the rest of a code in cash.
 * @throws unauthenticated, also without a recently typed password; forbidden; not_found; conflict
 */
export async function payOut(ctx: CreditShopDeps, caller: Caller, codeId: number) {
  ctx.accounts.requireRecentPassword(requireAdminUser(caller.actor));
  const paidOut = await ctx.database.write(PAYING, async (tx) => {
    const code = await shopSql.lockCode(tx, codeId);
    if (!code) throw notFound(words.CODE_NOT_FOUND);
    const { organizationId, orderId } = code;
    // Without what it still owes for a lost dispute.
    const [{ cents: freeCents } = { cents: 0 }] = await listOpenCodes(tx, [codeId]);
    if (freeCents === 0 || code.isMoving) throw problem('conflict', words.NOTHING_LEFT);
    if (code.processor === 'custom') throw problem('conflict', words.NOT_OURS_TO_PAY_OUT);
    if (freeCents >= words.MAX_PAID_OUT_CENTS) throw problem('conflict', words.TOO_MUCH_TO_PAY_OUT);
    const movement = {
      codeId,
      organizationId,
      orderId,
      kind: 'paid_out' as const,
      cents: 0 - freeCents,
      bonusCents: 0,
    };
    const [movementId = 0] = await insertMovements(tx, [movement]);
    const posting = postings.creditPaidOut({ orderId, organizationId }, movementId, cents(freeCents));
    await ctx.ledger.haveAccounts(tx, posting);
    await ctx.ledger.post(tx, posting, ctx.clock.now());
    await ctx.audit.record(tx, caller, {
      action: 'credit.paid_out',
      organizationId,
      object: ['credit_code', codeId],
      details: { amount_cents: freeCents },
    });
    return cents(freeCents);
  });
  return {
    paid_out: toDollars(paidOut),
    message: `${formatDollars(paidOut)} was paid out. The code has no balance now.`,
  };
}

/**
 * The balance of a code. The link of its email marks a gift as opened; who types the code may be its giver.
 * @throws as `CreditService.balance`
 */
export async function balance(ctx: CreditShopDeps, caller: Caller, body: BalanceBody) {
  const { id, answer } = await ctx.credit.balance(caller, body.code);
  if (body.from_email) await ctx.database.write(GIFTS, (tx) => shopSql.markOpened(tx, id));
  return answer;
}

/**
 * Sends a gift to another address: the giver mistyped it, or its email came back. Not once it was opened.
 * @throws not_found; conflict; too_many
 */
export async function readdress(ctx: CreditShopDeps, caller: Caller, vanityId: string, email: string): Promise<void> {
  await ctx.limits.take({ bucket: `gift:ip:${caller.ip}`, limit: CHANGES_OF_SENDER, windowSeconds: HOUR_SECONDS });
  if (!isVanityId(vanityId)) throw notFound(words.GIFT_NOT_FOUND);
  await ctx.limits.take({ bucket: `gift:${vanityId}`, limit: CHANGES_OF_GIFT, windowSeconds: DAY_SECONDS });
  await ctx.database.write(GIFTS, async (tx) => {
    const gift = await shopSql.lockGift(tx, vanityId);
    if (!gift) throw notFound(words.GIFT_NOT_FOUND);
    if (gift.isOpened) throw problem('conflict', words.GIFT_OPENED);
    if (gift.leftCents <= 0) throw problem('conflict', words.NOTHING_LEFT);
    await shopSql.changeReceiver(tx, gift.codeId, email);
    await ctx.outbox.replaceEmail(tx, giftEmailKey(gift.codeId));
    await ctx.jobs.enqueue(tx, sendGiftsJob, null, { singletonKey: 'next' });
  });
}

/** Sends the gifts that are due, each once. */
export async function sendGifts(ctx: CreditShopDeps): Promise<void> {
  await ctx.database.write(GIFTS, async (tx) => {
    for (const gift of await shopSql.takeDueGifts(tx, GIFTS_AT_A_TIME))
      await ctx.outbox.queueEmail(tx, giftEmail(gift, ctx.credit.openCode(gift.sealed), ctx.origin));
  });
}

/** A gift's receiver is needed only for the gift (A.14), and so is the address on its email. */
export async function forgetReceivers(ctx: CreditShopDeps): Promise<void> {
  await ctx.database.write(GIFTS, async (tx) => {
    await shopSql.forgetReceivers(tx);
    await ctx.outbox.forgetEmails(tx, await shopSql.listEmailsOfForgotten(tx));
  });
}

export const createCreditShop = (deps: CreditShopDeps) =>
  bind(deps, { buy, soldFor, list, offer, payOut, balance, readdress, sendGifts, forgetReceivers });
