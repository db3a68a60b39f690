/** `/admin/questions`: what people asked by "Talk to an expert", for platform admins. */
import { QUESTIONS_TITLE, type AskedQuestion } from '#src/features/marketing/expert-questions.contract.ts';
import { DEFAULT_TIME_ZONE, publicMoment } from '#src/shared/dates.ts';
import { Card } from '#src/ui/card.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/questions.page.ts';

export const handle = WORKING_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  return context.get(requestContext).app.marketing.listQuestions();
}

export const meta = () => unlistedPage(`${QUESTIONS_TITLE} · Sideline`);

export default function QuestionsPage({ loaderData }: Route.ComponentProps) {
  const { rows, more } = useMoreRows(loaderData, 'questions', (query) =>
    api('GET /api/v1/expert_questions', { query }),
  );
  return (
    <Main className="pb-12">
      <PageHeader title={QUESTIONS_TITLE} subtitle="What people asked an expert, newest first." />
      {rows.length === 0 ? (
        <EmptyState title="No questions yet">Questions from the form “Talk to an expert” are listed here.</EmptyState>
      ) : (
        <div className="flex max-w-3xl flex-col gap-5">
          <ol aria-label={QUESTIONS_TITLE} className="flex flex-col gap-4">
            {rows.map((question) => (
              <li key={question.id}>
                <QuestionCard question={question} />
              </li>
            ))}
          </ol>
          <ShowMore {...more} />
        </div>
      )}
    </Main>
  );
}

function QuestionCard({ question }: { question: AskedQuestion }) {
  const name = `${question.first_name} ${question.last_name}`;
  return (
    <Card className="flex flex-col gap-3 p-4 break-words sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-base wrap-anywhere">
          {name} · {question.company_name}
        </h2>
        <p className="text-sm text-quiet">
          <time dateTime={question.at}>{publicMoment(new Date(question.at), DEFAULT_TIME_ZONE)}</time> on{' '}
          {question.site}
        </p>
      </div>
      <p className="whitespace-pre-wrap">{question.question}</p>
      <p className="flex flex-wrap items-center gap-x-5 text-sm">
        <a
          href={`mailto:${question.email}`}
          className="inline-flex min-h-11 min-w-0 items-center underline decoration-line-strong underline-offset-4 wrap-anywhere hover:decoration-ink pointer-fine:min-h-8"
        >
          {question.email}
        </a>
        <span>{question.phone_number}</span>
      </p>
    </Card>
  );
}
