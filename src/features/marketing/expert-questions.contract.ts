/** What platform admins read of the questions to an expert. */
import * as z from 'zod/mini';
import { idSchema } from '#src/shared/validators.ts';

export const QUESTIONS_TITLE = 'Questions';

export const questionsQuery = z.object({
  /** `next` of the previous page. */
  after: z.optional(idSchema),
});
const askedQuestion = z.object({
  id: z.number(),
  at: z.string(),
  /** The name of the organization on whose site it was asked. */
  site: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  company_name: z.string(),
  question: z.string(),
});
export type AskedQuestion = z.infer<typeof askedQuestion>;
/** Newest first. */
export const questionsPage = z.object({ questions: z.array(askedQuestion), next: z.nullable(z.number()) });
export type QuestionsPage = z.infer<typeof questionsPage>;
