/**
 * Someone asks before signing up: the question is stored, and an email about it is queued in the same transaction. Frequent
 * questions are still stored and acknowledged, but not emailed (threat 31). Platform admins read the questions.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { expertQuestionEmail } from '#src/features/marketing/expert-question.mail.tsx';
import * as expertQuestionsSql from '#src/features/marketing/expert-questions.sql.ts';
import type { QuestionsPage } from '#src/features/marketing/expert-questions.contract.ts';
import type { ExpertQuestion } from '#src/features/marketing/talk-to-expert.contract.ts';
import { ROOT_ID } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';
import { pageOf } from '#src/shared/paging.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

const QUESTIONS = { kind: 'system', why: 'questions belong to the platform and to no tenant' } as const;
/** Stored per address; beyond this the form is closed for a while. */
const QUESTIONS_AN_HOUR = 5;
const EMAILS_OF_AN_ADDRESS = 10;
const EMAILS_OF_AN_ASKER = 10;
const EMAILS_A_DAY = 300;
const PAGE = 20;

export type MarketingService = ReturnType<typeof createMarketingService>;

type MarketingDeps = Pick<Platform, 'database' | 'limits' | 'outbox'> & {
  organizations: OrganizationService;
  /** Where questions go if the root organization has no address. */
  contactEmail: string;
};

/** The operators' address: the root organization's own, else the configured one. */
export async function contactEmail(ctx: MarketingDeps): Promise<string> {
  return (await ctx.organizations.byId(ROOT_ID))?.contactEmail ?? ctx.contactEmail;
}

/** False if one of these has reached its daily limit of emails. */
function mayWrite(ctx: MarketingDeps, caller: Caller, question: ExpertQuestion): Promise<boolean> {
  return mayTake(
    ctx.limits,
    { bucket: `expert:emails:ip:${caller.ip}`, limit: EMAILS_OF_AN_ADDRESS, windowSeconds: DAY_SECONDS },
    {
      bucket: `expert:emails:to:${question.email.toLowerCase()}`,
      limit: EMAILS_OF_AN_ASKER,
      windowSeconds: DAY_SECONDS,
    },
    { bucket: 'expert:emails:all', limit: EMAILS_A_DAY, windowSeconds: DAY_SECONDS },
  );
}

/**
 * Stores the question and queues the email about it.
 * @param hostLabel of the site on which it was asked; null: the root's
 * @throws too_many after 5 questions of one address in an hour (bad input 103)
 */
export async function askExpert(
  ctx: MarketingDeps,
  caller: Caller,
  hostLabel: string | null,
  question: ExpertQuestion,
) {
  await ctx.limits.take({ bucket: `expert:ip:${caller.ip}`, limit: QUESTIONS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  const site =
    (hostLabel === null ? null : await ctx.organizations.byHostLabel(hostLabel)) ??
    (await ctx.organizations.byId(ROOT_ID));
  if (!site) throw notFound();
  const to = (await mayWrite(ctx, caller, question)) ? await contactEmail(ctx) : null;
  await ctx.database.write(QUESTIONS, async (tx) => {
    const id = await expertQuestionsSql.insertQuestion(tx, site.id, question);
    if (to !== null) await ctx.outbox.queueEmail(tx, expertQuestionEmail({ ...question, id, askedOn: site.name }, to));
  });
}

/** Also those that were not emailed, 20 at a time. Only for platform admins, as its route and page declare. */
export async function listQuestions(ctx: MarketingDeps, before: number | null = null): Promise<QuestionsPage> {
  const rows = await ctx.database.read(QUESTIONS, (db) =>
    expertQuestionsSql.listQuestions(db, { before, limit: PAGE + 1 }),
  );
  const { shown, next } = pageOf(rows, PAGE);
  return { questions: shown.map((row) => ({ ...row, at: row.at.toISOString() })), next };
}

export const createMarketingService = (deps: MarketingDeps) => bind(deps, { contactEmail, askExpert, listQuestions });
