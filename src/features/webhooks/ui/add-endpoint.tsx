import { useState } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { WEBHOOK_TYPES } from '#src/features/webhooks/webhook-events.contract.ts';
import type { Endpoint, EndpointWithSecret } from '#src/features/webhooks/webhooks.contract.ts';
import { EndpointFields, type EndpointValues } from '#src/features/webhooks/ui/endpoint-fields.tsx';
import { SecretDialog } from '#src/ui/secret-dialog.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type AddEndpointProps = {
  organizationId: number;
  isParent: boolean;
  onClose: () => void;
  onAdded: (endpoint: Endpoint) => void;
};

/** Creates a webhook, after asking for the password if needed, and shows its secret; then calls `onAdded`. */
export function AddEndpoint({ organizationId, isParent, onClose, onAdded }: AddEndpointProps) {
  const form = useForm<EndpointValues>({ url: '', events: WEBHOOK_TYPES, of_affiliates: false });
  const { needsPassword, onDone, send } = useStepUp();
  const [made, setMade] = useState<EndpointWithSecret | null>(null);

  async function submit(): Promise<void> {
    const answer = await form.send((webhook_endpoint) =>
      send(() =>
        api('POST /api/v1/organizations/{id}/webhook_endpoints', {
          params: { id: organizationId },
          body: { webhook_endpoint },
        }),
      ),
    );
    if (answer) setMade(answer.data);
  }

  if (made)
    return (
      <SecretDialog
        title="Your webhook is ready"
        name="Secret"
        secret={made.secret}
        hint="Send a test event next, to see whether your receiver gets it."
        onClose={() => onAdded(made.webhook_endpoint)}
      >
        Your receiver checks each message with this secret.
      </SecretDialog>
    );
  return (
    <>
      <FormDialog
        title="Add a webhook"
        action={{ label: 'Add webhook', busy: 'Adding...' }}
        isSending={form.isSending}
        onSubmit={() => void submit()}
        onClose={onClose}
        problem={form.errors['form']}
      >
        <EndpointFields form={form} isParent={isParent} />
      </FormDialog>
      <ConfirmPassword open={needsPassword} onDone={onDone} />
    </>
  );
}
