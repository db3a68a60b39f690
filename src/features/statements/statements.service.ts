/**
 * A month of an organization's account, for its members: the opening balance, all changes, and the closing balance. Everything
 * is read from the ledger by the time of posting, and nothing is ever posted into a month that is over, so that a printed
 * statement stays correct. A parent's statement has a section for each organization below it.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { REPORT_LIMITS, REPORTS_ARE_BUSY } from '#src/features/reports/reports.contract.ts';
import { printStatement } from '#src/features/statements/statement-print.service.ts';
import * as rules from '#src/features/statements/statement-answers.rules.ts';
import * as contract from '#src/features/statements/statements.contract.ts';
import {
  addAccounts,
  addMonths,
  headOf,
  lineWords,
  monthsBack,
  type Holder,
  type Statement,
  type StatementLine,
} from '#src/features/statements/statements.rules.ts';
import * as figuresSql from '#src/features/statements/statement-figures.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import { tenantScope, type Database } from '#src/platform/db/db.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { cents, sumCents, ZERO } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { pageBy, readPages } from '#src/shared/paging.ts';

/** Lines that are read at a time for a file. */
const LINES_AT_A_TIME = 1_000;

type StatementDeps = { database: Database; clock: Clock; organizations: Pick<OrganizationService, 'byId'> };
export type StatementService = ReturnType<typeof createStatementService>;

type Opened = {
  organization: Organization;
  holders: Holder[];
  span: figuresSql.Span;
  /** When the first posting was. */
  first: Date;
};

type Context = ReturnType<typeof contextOf>;

function contextOf(deps: StatementDeps) {
  const limit = createConcurrencyLimit({
    ...REPORT_LIMITS,
    full: () => problem('unavailable', REPORTS_ARE_BUSY, { retryAfterSeconds: 5 }),
  });
  return { ...deps, limit };
}

function scopeOf(holders: readonly Holder[]) {
  return tenantScope(...holders.map(({ id }) => id));
}

function thisMonth(ctx: Context, { timeZone }: Organization) {
  return machineDay(ctx.clock.now(), timeZone).slice(0, 7);
}

function holdersOf(ctx: Context, { id }: Organization) {
  return ctx.database.read(tenantScope(id), (db) => figuresSql.listHolders(db, id));
}

/** From the first moment of each month to the first of the next. */
async function spansOf(ctx: Context, organization: Organization, months: readonly string[]) {
  const starts = await ctx.database.read(tenantScope(organization.id), (db) =>
    figuresSql.monthStarts(db, organization.id, [...months, ...months.map((month) => addMonths(month, 1))]),
  );
  return months.map((_month, index) => ({
    since: starts[index] as Date,
    until: starts[months.length + index] as Date,
  }));
}

/** @throws not_found for a month before the first posting or in the future */
async function open(ctx: Context, organization: Organization, month: string): Promise<Opened> {
  if (month > thisMonth(ctx, organization)) throw notFound(contract.NO_STATEMENT);
  const [holders, [span]] = await Promise.all([holdersOf(ctx, organization), spansOf(ctx, organization, [month])]);
  const first = await ctx.database.read(scopeOf(holders), (db) => figuresSql.firstPosting(db, holders));
  if (!span || first === null || first >= span.until) throw notFound(contract.NO_STATEMENT);
  return { organization, holders, span, first };
}

async function read(ctx: Context, { organization, holders, span, first }: Opened, month: string): Promise<Statement> {
  const { accounts, galleries } = await ctx.database.read(scopeOf(holders), async (db) => ({
    accounts: await figuresSql.listAccounts(db, holders, span),
    galleries: await figuresSql.listGalleryParts(db, holders, span),
  }));
  const isParent = organization.parentOrganizationId === null;
  return {
    ...headOf(organization.id, month, thisMonth(ctx, organization)),
    hasEarlier: first < span.since,
    organization: {
      id: organization.id,
      name: organization.name,
      path: organization.domainName,
      timeZone: organization.timeZone,
      primaryColor: organization.primaryColor,
      isParent,
    },
    account: addAccounts([...accounts.values()]),
    galleries,
    sections: isParent
      ? holders.flatMap((holder) => {
          const account = accounts.get(holder.id);
          return account ? [{ ...holder, account }] : [];
        })
      : [],
  };
}

/** All lines, read page by page. */
function linesOf(ctx: Context, { holders, span }: Opened) {
  return readPages(LINES_AT_A_TIME, (last: StatementLine | null) =>
    ctx.database.read(scopeOf(holders), (db) =>
      figuresSql.listLines(db, holders, span, { after: last?.key ?? null, limit: LINES_AT_A_TIME }),
    ),
  );
}

async function listMonths(ctx: Context, organization: Organization, query: contract.StatementsQuery) {
  const limit = query.limit ?? contract.STATEMENTS_PER_PAGE;
  const holders = await holdersOf(ctx, organization);
  const first = await ctx.database.read(scopeOf(holders), (db) => figuresSql.firstPosting(db, holders));
  if (first === null) return { months: [], next: null };
  // One month earlier than today's time zone says: the first months may have had another zone.
  const earliest = addMonths(machineDay(first, organization.timeZone).slice(0, 7), -1);
  const candidates = monthsBack(earliest, thisMonth(ctx, organization), query.after ?? null, limit + 1);
  const spans = (await spansOf(ctx, organization, candidates)).filter(({ until }) => until > first);
  const months = candidates.slice(0, spans.length);
  const moves = await ctx.database.read(scopeOf(holders), (db) => figuresSql.listMonthlyMoves(db, holders, spans));
  const { shown, next } = pageBy(months, limit, (month) => month);
  const listed = shown.map((month, index): rules.ListedMonth => {
    const moved = moves[index] ?? { openingCents: ZERO, earnedCents: ZERO, paidOutCents: ZERO };
    const head = headOf(organization.id, month, thisMonth(ctx, organization));
    return { ...head, ...moved, closingCents: sumCents(Object.values(moved)) };
  });
  return { months: listed, next };
}

async function pageOfLines(ctx: Context, opened: Opened, query: contract.LinesQuery) {
  const limit = query.limit ?? contract.LINES_PER_PAGE;
  const lines = await ctx.database.read(scopeOf(opened.holders), (db) =>
    figuresSql.listLines(db, opened.holders, opened.span, { after: query.after ?? null, limit: limit + 1 }),
  );
  const { shown, next } = pageBy(lines, limit, ({ key }) => key);
  return { lines: shown, next };
}

/** Months that have a statement, latest first, including the current one. @throws unauthenticated; not_found; unavailable */
export async function list(ctx: Context, caller: Caller, organizationId: number, query: contract.StatementsQuery = {}) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.limit.run(() => listMonths(ctx, organization, query));
}

/** The same for the API. */
export async function listAnswer(
  ctx: Context,
  caller: Caller,
  organizationId: number,
  query: contract.StatementsQuery,
) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  return rules.presentList(organization, await ctx.limit.run(() => listMonths(ctx, organization, query)));
}

/** @param month `YYYY-MM` @throws unauthenticated; not_found; unavailable */
export async function statement(ctx: Context, caller: Caller, organizationId: number, month: string) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.limit.run(async () => read(ctx, await open(ctx, organization, month), month));
}

export async function answer(ctx: Context, caller: Caller, organizationId: number, month: string) {
  return rules.presentStatement(await statement(ctx, caller, organizationId, month));
}

/** A page of its lines. @throws as `statement` */
export async function lines(
  ctx: Context,
  caller: Caller,
  organizationId: number,
  month: string,
  query: contract.LinesQuery = {},
): Promise<contract.LinesAnswer> {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const { lines, next } = await ctx.limit.run(async () =>
    pageOfLines(ctx, await open(ctx, organization, month), query),
  );
  return { lines: lines.map(rules.presentLine), next };
}

/**
 * The file, line by line: the opening balance, each line with the balance after it, the closing balance.
 * @throws as `statement`
 */
export async function csv(ctx: Context, caller: Caller, organizationId: number, month: string) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const opened = await open(ctx, organization, month);
  const { account, from, to } = await ctx.limit.run(() => read(ctx, opened, month));
  return (async function* () {
    yield CSV_MARK + csvLine(rules.statementCsvHead(account));
    const place = { id: organization.id, name: organization.name, path: organization.domainName };
    let balance = account.openingCents;
    const endOf = (day: string, words: string) =>
      csvLine(rules.statementCsvRow({ day, words, organization: place, balanceCents: balance, account }));
    yield endOf(from, 'Opening balance');
    for await (const lines of linesOf(ctx, opened)) {
      let text = '';
      for (const line of lines) {
        balance = cents(balance + line.changeCents);
        const day = machineDay(line.at, organization.timeZone);
        const entry = { organization: line.organization, words: lineWords(line), line };
        text += csvLine(rules.statementCsvRow({ day, ...entry, balanceCents: balance, account }));
      }
      yield text;
    }
    yield endOf(to, 'Closing balance');
  })();
}

/** US letter, with every line of an organization, or every section of a parent. @throws as `statement` */
export async function pdf(ctx: Context, caller: Caller, organizationId: number, month: string): Promise<Buffer> {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.limit.run(async () => {
    const opened = await open(ctx, organization, month);
    const statement = await read(ctx, opened, month);
    const lines: StatementLine[] = [];
    if (!statement.organization.isParent) for await (const some of linesOf(ctx, opened)) lines.push(...some);
    return printStatement(statement, lines);
  });
}

export const createStatementService = (deps: StatementDeps) =>
  bind(contextOf(deps), { list, listAnswer, statement, answer, lines, csv, pdf });
