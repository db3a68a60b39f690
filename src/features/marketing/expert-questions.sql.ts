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
    .selectFrom('expert_questions')
    .select(['id', 'organization_id as organizationId', 'created_at as createdAt'])
    .select(['first_name', 'last_name', 'email', 'phone_number', 'company_name', 'question'])
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
