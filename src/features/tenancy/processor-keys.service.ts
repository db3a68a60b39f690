/**
 * An organization may take cards on its own Stripe account (rule 7): if a platform admin has allowed it and both keys are set.
 * The secret key is encrypted before it is stored and never returned.
 */
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import { KEYS_NOT_ACCEPTED, KEYS_NOT_ALLOWED } from '#src/features/tenancy/processor-keys.contract.ts';
import { modeOf, problemsOfKeys } from '#src/features/tenancy/processor-keys.rules.ts';
import * as processorKeysSql from '#src/features/tenancy/processor-keys.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { PaymentProvider, ProcessorAccount } from '#src/platform/payments/payments.ts';
import { openText, sealText } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem, refuseFields, fieldProblem } from '#src/shared/problem.ts';

const KEYS = { kind: 'system', why: 'card keys are read to charge with them; access was checked before' } as const;

/** Checked keys that may be written. */
export type PreparedKeys = { publishableKey: string; secretSealed: Buffer; secretLast4: string };

/** An account with its public key, and the secret as stored. */
export type OwnAccount = ProcessorAccount & { publishableKey: string; secretSealed: Buffer };
export type ProcessorKeyService = ReturnType<typeof createProcessorKeys>;

type ProcessorKeysDeps = {
  database: Database;
  keys: { processorKeys: Buffer };
  payments: Pick<PaymentProvider, 'knowsAccount'>;
};

function findKeys(ctx: ProcessorKeysDeps, organizationId: number) {
  return ctx.database.read(KEYS, (db) => processorKeysSql.findKeys(db, organizationId));
}

/** Decrypts the secret key of an organization's own account. */
export function secretOf(ctx: ProcessorKeysDeps, sealed: Uint8Array) {
  return openText(ctx.keys.processorKeys, sealed);
}

/** The organization's own account; null if it uses the platform's. */
export async function accountOf(ctx: ProcessorKeysDeps, organizationId: number): Promise<OwnAccount | null> {
  const found = await findKeys(ctx, organizationId);
  if (!found?.allowed || found.publishableKey === null || found.secretSealed === null) return null;
  return {
    organizationId,
    publishableKey: found.publishableKey,
    secretKey: secretOf(ctx, found.secretSealed),
    secretSealed: found.secretSealed,
  };
}

/**
 * Checks new keys before a transaction starts: they must be a pair of one mode that the provider knows. A blank secret keeps
 * the stored one; null if nothing changes. `allowed`: the permission after the same request.
 * @throws not_found; forbidden; invalid with every problem by field
 */
export async function prepare(
  ctx: ProcessorKeysDeps,
  organizationId: number,
  given: { publishableKey: string; secretKey: string },
  { allowed, confirmed = () => undefined }: { allowed?: boolean; confirmed?: () => void } = {},
): Promise<PreparedKeys | null> {
  const before = await findKeys(ctx, organizationId);
  if (!before) throw notFound(ORGANIZATION_NOT_FOUND);
  if (!(allowed ?? before.allowed)) throw problem('forbidden', KEYS_NOT_ALLOWED);
  const [publishableKey, secretKey] = [given.publishableKey.trim(), given.secretKey.trim()];
  const storedSecret = before.secretSealed === null ? null : secretOf(ctx, before.secretSealed);
  const errors = problemsOfKeys(publishableKey, secretKey, storedSecret === null ? null : modeOf(storedSecret));
  refuseFields(errors);
  const isSameSecret = secretKey === '' || secretKey === storedSecret;
  if (isSameSecret && publishableKey === before.publishableKey) return null;
  // The provider is asked only after the password was typed, so that no one else can test keys through us.
  confirmed();
  const account = { organizationId, secretKey: secretKey || (storedSecret ?? '') };
  if (ctx.payments.knowsAccount && !(await ctx.payments.knowsAccount(account)))
    throw fieldProblem({ stripe_sk: [KEYS_NOT_ACCEPTED] });
  return {
    publishableKey,
    secretSealed: sealText(ctx.keys.processorKeys, account.secretKey),
    secretLast4: account.secretKey.slice(-4),
  };
}

/** Writes checked keys in the caller's transaction; future orders use them. Call `forget` for the organization afterwards. */
export function store(tx: Writer, organizationId: number, prepared: PreparedKeys): Promise<void> {
  return processorKeysSql.updateKeys(tx, organizationId, prepared);
}

export function createProcessorKeys(deps: ProcessorKeysDeps) {
  return {
    store,
    ...bind(deps, { secretOf, accountOf, prepare }),
  };
}
