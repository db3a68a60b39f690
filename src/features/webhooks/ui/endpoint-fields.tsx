import { useId } from 'react';
import { WEBHOOK_EVENTS, WEBHOOK_TYPES, type WebhookType } from '#src/features/webhooks/webhook-events.contract.ts';
import { URL_AT_MOST } from '#src/features/webhooks/webhooks.contract.ts';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { CircleAlert } from '#src/ui/icon.tsx';
import type { Form } from '#src/web/use-form.ts';

export type EndpointValues = { url: string; events: readonly WebhookType[]; of_affiliates: boolean };

/** The address and the events. `isParent`: the organization may have others below it. */
export function EndpointFields({ form, isParent }: { form: Form<EndpointValues>; isParent: boolean }) {
  const { values, set, errors } = form;
  return (
    <>
      <TextField
        label="Address"
        required
        data-autofocus=""
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={URL_AT_MOST}
        placeholder="https://"
        hint="Your receiver’s address. It must begin with https://."
        {...form.field('url')}
        value={values.url}
      />
      <EventChoice chosen={values.events} errors={errors['events'] ?? []} onChoose={(events) => set({ events })} />
      {isParent && (
        <Checkbox
          label="Include events of affiliates"
          hint="The same events of every organization below this one."
          checked={values.of_affiliates}
          onChange={({ target }) => set({ of_affiliates: target.checked })}
        />
      )}
    </>
  );
}

type EventChoiceProps = {
  chosen: readonly WebhookType[];
  errors: readonly string[];
  onChoose: (events: readonly WebhookType[]) => void;
};

function EventChoice({ chosen, errors, onChoose }: EventChoiceProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={errors.length > 0 ? id : undefined}>
      <legend className="text-sm font-semibold">Events</legend>
      {WEBHOOK_TYPES.map((type) => (
        <Checkbox
          key={type}
          label={WEBHOOK_EVENTS[type]}
          hint={<code>{type}</code>}
          checked={chosen.includes(type)}
          onChange={({ target }) =>
            onChoose(target.checked ? [...chosen, type] : chosen.filter((each) => each !== type))
          }
        />
      ))}
      {errors.length > 0 && (
        <p id={id} className="flex items-start gap-1.5 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {errors.join(' ')}
        </p>
      )}
    </fieldset>
  );
}
