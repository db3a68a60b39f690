/** Table of this module: expert_questions. */
import type { ExpertQuestion } from '#src/features/marketing/talk-to-expert.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type KeptQuestion = ExpertQuestion & { id: number; organizationId: number; createdAt: Date };

/** Keeps a question; returns its id. */
export async function insertQuestion(tx: Writer, asked: ExpertQuestion & { organizationId: number }): Promise<number> {
  const { id } = await tx
    .insertInto('expert_questions')
    .values({
      organization_id: asked.organizationId,
      first_name: asked.first_name,
      last_name: asked.last_name,
      email: asked.email,
      phone_number: asked.phone_number,
      company_name: asked.company_name,
      question: asked.question,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first, paged by key. */
export async function listQuestions(
  db: Reader,
  page: { before: number | null; limit: number },
): Promise<KeptQuestion[]> {
  let query = db
    .selectFrom('expert_questions')
    .select([
      'id',
      'organization_id',
      'first_name',
      'last_name',
      'email',
      'phone_number',
      'company_name',
      'question',
      'created_at',
    ])
    .orderBy('id', 'desc')
    .limit(page.limit);
  if (page.before !== null) query = query.where('id', '<', page.before);
  const rows = await query.execute();
  return rows.map(({ organization_id, created_at, ...row }) => ({
    ...row,
    organizationId: organization_id,
    createdAt: created_at,
  }));
}
