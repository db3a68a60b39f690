/**
 * An organisation may take cards over an account of its own at the provider (decision 7): where a platform admin has
 * allowed it and both keys are set. The secret key is sealed before it is stored and never read out again.
 */
import { requireEditor, type Caller } from '#src/features/accounts/actor.rules.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/organizations/organizations.contract.ts';
import {
  KEYS_NOT_ACCEPTED,
  KEYS_NOT_ALLOWED,
  type ShownProcessorKeys,
} from '#src/features/organizations/processor-keys.contract.ts';
import { modeOf, problemsOfKeys } from '#src/features/organizations/processor-keys.rules.ts';
import * as keysSql from '#src/features/organizations/processor-keys.sql.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { PaymentProvider, ProcessorAccount } from '#src/platform/payments/payments.ts';
import { openText, sealText } from '#src/platform/secrets.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const KEYS = { kind: 'system', why: 'card keys are read to charge with them; the caller was asked before' } as const;

/** An account with its public key, and the secret as it is stored. */
export type OwnAccount = ProcessorAccount & { publishableKey: string; secretSealed: Buffer };
export type ProcessorKeyService = ReturnType<typeof createProcessorKeys>;

export function createProcessorKeys(deps: {
  database: Database;
  keys: { processorKeys: Buffer };
  payments: Pick<PaymentProvider, 'knowsAccount'>;
  /** Lets this process see the new public key at once. */
  forget: (organizationId: number) => void;
}) {
  const { database, keys, payments } = deps;
  const kept = (organizationId: number) => database.read(KEYS, (db) => keysSql.findKeys(db, organizationId));
  const secretOf = (sealed: Uint8Array) => openText(keys.processorKeys, sealed);

  return {
    secretOf,

    /** The organisation's own account; null where it uses the platform's. */
    async accountOf(organizationId: number): Promise<OwnAccount | null> {
      const found = await kept(organizationId);
      if (!found?.allowed || found.publishableKey === null || found.secretSealed === null) return null;
      return {
        organizationId,
        publishableKey: found.publishableKey,
        secretKey: secretOf(found.secretSealed),
        secretSealed: found.secretSealed,
      };
    },

    /**
     * Sets or changes the keys; a blank secret keeps the one that is stored. They are used for orders to come. Asking for
     * the password once more and telling the owner by mail are the caller's (decision 47).
     * @throws not_found; forbidden; invalid with every problem under its field
     */
    async setKeys(
      caller: Caller,
      organization: { id: number; parentOrganizationId: number | null },
      given: { publishableKey: string; secretKey: string },
    ): Promise<ShownProcessorKeys> {
      const { id, parentOrganizationId } = organization;
      requireEditor(caller.actor, { organizationId: id, parentOrganizationId });
      const before = await kept(organization.id);
      if (!before) throw notFound(ORGANIZATION_NOT_FOUND);
      if (!before.allowed) throw problem('forbidden', KEYS_NOT_ALLOWED);
      const [publishableKey, secretKey] = [given.publishableKey.trim(), given.secretKey.trim()];
      const keptSecret = before.secretSealed === null ? null : secretOf(before.secretSealed);
      const errors = problemsOfKeys(publishableKey, secretKey, keptSecret === null ? null : modeOf(keptSecret));
      const [first] = Object.values(errors).flat();
      if (first !== undefined) throw problem('invalid', first, { errors });
      const account = { organizationId: organization.id, secretKey: secretKey || (keptSecret ?? '') };
      if (payments.knowsAccount && !(await payments.knowsAccount(account)))
        throw problem('invalid', KEYS_NOT_ACCEPTED, { errors: { stripe_sk: [KEYS_NOT_ACCEPTED] } });
      const secretLast4 = account.secretKey.slice(-4);
      const secretSealed = sealText(keys.processorKeys, account.secretKey);
      await database.write(KEYS, (tx) =>
        keysSql.updateKeys(tx, organization.id, { publishableKey, secretSealed, secretLast4 }),
      );
      deps.forget(organization.id);
      return { stripe_pk: publishableKey, stripe_sk: null, stripe_sk_set: true, stripe_sk_last4: secretLast4 };
    },
  };
}
