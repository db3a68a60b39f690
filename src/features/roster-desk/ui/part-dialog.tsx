import { useState } from 'react';
import type { SeasonAnswer, TeamAnswer } from '#src/features/roster/roster.contract.ts';
import { MAX_NAME, MAX_SHORT_NAME } from '#src/features/roster/roster.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, type ApiResult, messagesOf } from '#src/web/api-client.ts';

type PartDialogProps = {
  part: { what: 'season'; now: SeasonAnswer } | { what: 'team'; now: TeamAnswer };
  onClose: () => void;
  /** Called after renaming or deleting. */
  onChanged: (isThere: boolean) => void;
};

/** Renames a season or a team, or deletes an unused one. */
export function PartDialog({ part, onClose, onChanged }: PartDialogProps) {
  const [problems, setProblems] = useState<string[]>([]);
  const [isSending, setSending] = useState(false);
  const { what, now } = part;
  const isEmpty = what === 'season' ? part.now.teams === 0 : now.athletes === 0;

  async function send(call: () => Promise<ApiResult<unknown>>, done: string, isThere: boolean): Promise<void> {
    setSending(true);
    const answer = await call();
    setSending(false);
    if (!answer.ok) return setProblems(messagesOf(answer));
    showToast(done, 'success');
    onChanged(isThere);
  }
  const params = { id: now.id };
  const remove = () =>
    send(
      () => api(what === 'season' ? 'DELETE /api/v1/seasons/{id}' : 'DELETE /api/v1/teams/{id}', { params }),
      `${now.name} was deleted`,
      false,
    );
  const save = (typed: Record<string, string>) =>
    what === 'season'
      ? api('PUT /api/v1/seasons/{id}', { params, body: { season: typed } })
      : api('PUT /api/v1/teams/{id}', { params, body: { team: typed } });

  return (
    <Dialog open title={what === 'season' ? 'Edit season' : 'Edit team'} onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
          void send(() => save(typed), 'Saved', true);
        }}
        className="flex flex-col gap-4"
      >
        <ErrorList messages={problems} heading="This was not changed:" />
        <TextField label="Name" name="name" required maxLength={MAX_NAME} defaultValue={now.name} data-autofocus="" />
        {what === 'team' ? (
          <TextField
            label="Short name"
            name="short_name"
            required
            maxLength={MAX_SHORT_NAME}
            defaultValue={part.now.short_name}
            hint={`Shown before a number: ${part.now.short_name} 10.`}
          />
        ) : (
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-4">
            <TextField label="First day" name="first_day" type="date" required defaultValue={part.now.first_day} />
            <TextField label="Last day" name="last_day" type="date" required defaultValue={part.now.last_day} />
          </div>
        )}
        <div className="flex flex-wrap gap-2">
          {isEmpty && (
            <Button variant="secondary" disabled={isSending} onClick={() => void remove()}>
              {what === 'season' ? 'Delete season' : 'Delete team'}
            </Button>
          )}
          <Button type="submit" className="ml-auto" busy={isSending && 'Saving...'}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
