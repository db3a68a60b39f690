import { useState, type FormEvent } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { FORMER_SECRET_HOURS, type Endpoint } from '#src/features/webhooks/webhooks.contract.ts';
import { EndpointFields, type EndpointValues } from '#src/features/webhooks/ui/endpoint-fields.tsx';
import { SecretDialog } from '#src/ui/secret-dialog.tsx';
import { publicMoment } from '#src/shared/dates.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Switch } from '#src/ui/form/switch.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, type InputOf } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

const CHANGE = 'PUT /api/v1/webhook_endpoints/{id}';

type EndpointProps = { endpoint: Endpoint; onChanged: () => Promise<void> };

/** Turns a webhook on or off immediately; address and events are saved with Save. Changing the address may need the password. */
export function EndpointSettings({ endpoint, isParent, onChanged }: EndpointProps & { isParent: boolean }) {
  const { url: savedUrl, events: savedEvents, of_affiliates: savedAffiliates } = endpoint;
  const form = useForm<EndpointValues>({ url: savedUrl, events: savedEvents, of_affiliates: savedAffiliates });
  const { needsPassword, onDone, send } = useStepUp();
  /** The switch's new value until the page is reloaded. */
  const [wantedActive, setWantedActive] = useState<boolean | null>(null);
  const { values } = form;
  const isSame =
    values.url === savedUrl &&
    values.of_affiliates === savedAffiliates &&
    values.events.length === savedEvents.length &&
    values.events.every((type) => savedEvents.includes(type));
  const change = (webhook_endpoint: InputOf<typeof CHANGE>['body']['webhook_endpoint']) =>
    api(CHANGE, { params: { id: endpoint.id }, body: { webhook_endpoint } });

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const answer = await form.send(({ url, ...others }) =>
      send(() => change({ ...others, ...(url === savedUrl ? {} : { url }) })),
    );
    if (!answer) return;
    const { url, events, of_affiliates } = answer.data;
    form.setValues({ url, events, of_affiliates });
    showToast('Saved', 'success');
    await onChanged();
  }

  async function setActive(active: boolean): Promise<void> {
    setWantedActive(active);
    const answer = await change({ active });
    if (answer.ok) await onChanged();
    setWantedActive(null);
    if (!answer.ok) return void showToast(answer.error, 'error');
    showToast(active ? 'The webhook is on' : 'The webhook is off', 'success');
  }

  return (
    <Card className="flex flex-col gap-4 p-4 sm:p-6">
      <Switch
        label="Send events"
        hint="While it is off, events are not recorded for it."
        checked={wantedActive ?? endpoint.active}
        disabled={wantedActive !== null}
        onChange={({ target }) => void setActive(target.checked)}
      />
      <form
        method="dialog"
        noValidate
        aria-label="Webhook"
        className="flex flex-col gap-4 border-t border-line pt-4"
        onSubmit={(event) => void save(event)}
      >
        <ErrorList messages={form.errors['form'] ?? []} attempt={form.attempt} heading="Something went wrong." />
        <EndpointFields form={form} isParent={isParent} />
        <Button type="submit" className="self-start" disabled={isSame} busy={form.isSending && 'Saving...'}>
          Save
        </Button>
      </form>
      <ConfirmPassword open={needsPassword} onDone={onDone} />
    </Card>
  );
}

type SecretProps = EndpointProps & { timeZone: string };

/** Creates a new secret. */
export function EndpointSecret({ endpoint, timeZone, onChanged }: SecretProps) {
  const [isConfirming, setConfirming] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { needsPassword, onDone, send } = useStepUp();

  return (
    <Card className="flex flex-col gap-3 p-4 sm:p-6">
      <p className="text-sm text-quiet">
        Your receiver checks each message with it. If someone else may know it, create a new one.
        {endpoint.former_secret_until !== null &&
          ` The previous one is valid until ${publicMoment(new Date(endpoint.former_secret_until), timeZone)}.`}
      </p>
      <Button variant="secondary" className="self-start" onClick={() => setConfirming(true)}>
        New secret
      </Button>
      {isConfirming && (
        <ConfirmCall
          title="Create a new secret?"
          confirmLabel="Create a new secret"
          busy="Creating..."
          call={() => send(() => api('POST /api/v1/webhook_endpoints/{id}/secret', { params: { id: endpoint.id } }))}
          onDone={(answer) => {
            setConfirming(false);
            setSecret(answer.secret);
          }}
          onCancel={() => setConfirming(false)}
        >
          {`The current one stays valid for ${FORMER_SECRET_HOURS} hours, so that you have time to change your receiver.`}
          {endpoint.former_secret_until !== null && ' The previous one then stops working immediately.'}
        </ConfirmCall>
      )}
      <ConfirmPassword open={needsPassword} onDone={onDone} />
      {secret !== null && (
        <SecretDialog
          title="Your new secret"
          name="Secret"
          secret={secret}
          hint={`Messages are signed with both secrets for ${FORMER_SECRET_HOURS} hours.`}
          onClose={() => {
            setSecret(null);
            void onChanged();
          }}
        >
          Your receiver checks each message with this secret.
        </SecretDialog>
      )}
    </Card>
  );
}

/** Deletes the webhook after a confirmation. */
export function DeleteEndpoint({ id, host, onDeleted }: { id: number; host: string; onDeleted: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="danger" className="self-start" onClick={() => setConfirming(true)}>
        Delete webhook
      </Button>
      {isConfirming && (
        <ConfirmCall
          title="Delete this webhook?"
          confirmLabel="Delete webhook"
          busy="Deleting..."
          call={() => api('DELETE /api/v1/webhook_endpoints/{id}', { params: { id } })}
          onDone={onDeleted}
          onCancel={() => setConfirming(false)}
        >
          {`${host} will get no more events, and its delivery log is deleted. This cannot be undone.`}
        </ConfirmCall>
      )}
    </>
  );
}
