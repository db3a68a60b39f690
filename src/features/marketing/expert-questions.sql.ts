/** Table of this module: expert_questions. */
import type { ExpertQuestion } from '#src/features/marketing/talk-to-expert.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Stores a question; returns its id. */
export async function insertQuestion(tx: Writer, organizationId: number, question: ExpertQuestion): Promise<number> {
  const { id } = await tx
    .insertInto('expert_questions')
    .values({ ...question, organization_id: organizationId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first, paged by key. */
export async function listQuestions(db: Reader, { before, limit }: { before: number | null; limit: number }) {
  return db
    .selectFrom('expert_questions as q')
    .innerJoin('organizations as o', 'o.id', 'q.organization_id')
    .select(['q.id', 'q.created_at as at', 'o.name as site'])
    .select(['q.first_name', 'q.last_name', 'q.email', 'q.phone_number', 'q.company_name', 'q.question'])
    .$if(before !== null, (query) => query.where('q.id', '<', before))
    .orderBy('q.id', 'desc')
    .limit(limit)
    .execute();
}
