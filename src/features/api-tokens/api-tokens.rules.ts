import type { TokenAnswer } from '#src/features/api-tokens/api-tokens.contract.ts';

/** Whether a token opens nothing any more: it was revoked, or its end has come. */
export const isOver = ({ expires_at: end, revoked_at: revoked }: TokenAnswer, nowMs: number): boolean =>
  revoked !== null || (end !== null && Date.parse(end) <= nowMs);
