/** The state of a promo code. */
import { issuedCode, type CodeState, type IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { present } from '#src/shared/field-names.ts';

export type CodeFacts = {
  uses: number;
  maxUses: number;
  expiresAt: Date | null;
  endedAt: Date | null;
  /** Its organization accepts codes now. */
  isAccepted: boolean;
};

/** The first reason that applies, in the order in which people would name them. */
export function stateOfCode({ uses, maxUses, expiresAt, endedAt, isAccepted }: CodeFacts, now: Date): CodeState {
  if (endedAt !== null) return 'ended';
  if (uses >= maxUses) return 'used_up';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return isAccepted ? 'active' : 'off';
}

export type CodeRow = CodeFacts & Pick<IssuedCode, 'id' | 'organization' | 'code'> & { createdAt: Date };

export function presentCode(row: CodeRow, now: Date): IssuedCode {
  const { expiresAt, organization } = row;
  // It ends with the first moment of the next day.
  const lastDay = expiresAt && machineDay(new Date(expiresAt.getTime() - 1), organization.time_zone);
  return present(issuedCode, { ...row, lastDay, state: stateOfCode(row, now) });
}
