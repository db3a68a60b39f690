import type { TokenAnswer } from '#src/features/api-tokens/api-tokens.contract.ts';

/** Whether a token has been revoked or has expired. */
export const isOver = ({ expires_at: end, revoked_at: revoked }: TokenAnswer, nowMs: number): boolean =>
  revoked !== null || (end !== null && Date.parse(end) <= nowMs);
