import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { familyPath } from '#src/features/families/families.rules.ts';
import * as words from '#src/features/family-page/family-page.contract.ts';
import type { FamilyPhotosAnswer } from '#src/features/family-page/family-page.contract.ts';
import { LaterWatchForm } from '#src/features/watches/ui/later-watch-form.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Ellipsis } from '#src/ui/icon.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, type ApiResult } from '#src/web/api-client.ts';

type OpenDialog = 'menu' | 'watch' | 'hide' | 'show' | 'not mine' | 'forget us' | 'forget' | 'forget device' | null;
type FamilyMenuProps = {
  child: FamilyPhotosAnswer['child'];
  affiliate: string;
  /** Other children are open here, too. */
  hasSiblings: boolean;
};

/** What a family can do besides viewing and buying. */
export function FamilyMenu({ child, affiliate, hasSiblings }: FamilyMenuProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  const actions = useFamilyActions(child, affiliate, close);
  const { busy, problem } = actions;
  const isFirst = child.consent === 'unknown';
  const question = questionOf(dialog, { label: child.label, isFirst, hasSiblings }, actions);
  return (
    <>
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setDialog('menu')}>
        <Ellipsis aria-hidden="true" />
        Menu
      </Button>
      <Dialog open={dialog === 'menu'} onClose={close} title={child.label} look="bottom">
        <div className="flex flex-col gap-2 pb-2 [&>button]:w-full">
          {child.consent !== 'no' && (
            <Button variant="secondary" onClick={() => setDialog('watch')}>
              {words.TELL_ME_ABOUT_NEW}
            </Button>
          )}
          {child.hidden && (
            <Button variant="secondary" onClick={() => setDialog('show')}>
              {words.showLabel(child.label, isFirst)}
            </Button>
          )}
          {(!child.hidden || isFirst) && (
            <Button variant="secondary" onClick={() => setDialog('hide')}>
              {words.hideLabel(child.label)}
            </Button>
          )}
          <Button variant="secondary" onClick={() => setDialog('not mine')}>
            {words.NOT_MY_CHILD}
          </Button>
          {hasSiblings && (
            <Button variant="secondary" onClick={() => setDialog('forget')}>
              {words.forgetLabel(child.label)}
            </Button>
          )}
          <Button variant="secondary" onClick={() => setDialog('forget device')}>
            {hasSiblings ? words.FORGET_DEVICE : words.forgetLabel(child.label)}
          </Button>
          <Button variant="secondary" onClick={() => setDialog('forget us')}>
            {words.FORGET_US}
          </Button>
        </div>
      </Dialog>
      <Dialog open={dialog === 'watch'} onClose={close} title={words.TELL_ME_ABOUT_NEW}>
        <div className="pb-3">
          <LaterWatchForm target={{ child: child.id }} />
        </div>
      </Dialog>
      {question && (
        <ConfirmDialog
          open
          busy={busy && question.busy}
          problem={problem}
          onCancel={actions.cancel}
          {...question.dialog}
        >
          {question.text}
        </ConfirmDialog>
      )}
    </>
  );
}

type Actions = ReturnType<typeof useFamilyActions>;

type Asked = { label: string; isFirst: boolean; hasSiblings: boolean };

/** The confirmation of an action that others notice, or that needs the card again; null while another dialog or none is open. */
function questionOf(open: OpenDialog, { label, isFirst, hasSiblings }: Asked, actions: Actions) {
  if (open === 'hide')
    return {
      dialog: {
        title: words.hideLabel(label),
        confirmLabel: 'Hide photos',
        onConfirm: () => void actions.answer('family'),
      },
      text: words.hideQuestion(label),
      busy: 'Hiding...',
    };
  if (open === 'show')
    return {
      dialog: {
        title: words.showLabel(label, isFirst),
        confirmLabel: 'Show photos',
        onConfirm: () => void actions.answer('yes'),
      },
      text: words.showQuestion(label),
      busy: 'Saving...',
    };
  if (open === 'not mine')
    return {
      dialog: { title: words.NOT_MY_CHILD, confirmLabel: 'Not my child', onConfirm: () => void actions.refuse() },
      text: words.notMineQuestion(label),
      busy: 'Sending...',
    };
  if (open === 'forget us')
    return {
      dialog: { title: words.FORGET_US, confirmLabel: 'Delete addresses', onConfirm: () => void actions.forgetUs() },
      text: words.forgetUsQuestion(label),
      busy: 'Deleting...',
    };
  if (open === 'forget')
    return {
      dialog: { title: words.forgetLabel(label), confirmLabel: 'Forget', onConfirm: () => void actions.forget() },
      text: words.forgetQuestion(label),
      busy: 'Forgetting...',
    };
  if (open === 'forget device')
    return {
      dialog: {
        title: hasSiblings ? words.FORGET_DEVICE : words.forgetLabel(label),
        confirmLabel: 'Forget',
        onConfirm: () => void actions.forgetDevice(),
      },
      text: hasSiblings ? words.FORGET_DEVICE_QUESTION : words.forgetQuestion(label),
      busy: 'Forgetting...',
    };
  return null;
}

function useFamilyActions({ id }: FamilyPhotosAnswer['child'], affiliate: string, onDone: () => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const params = { child: id };

  /** Returns the answer; null if something went wrong. */
  async function send<Answer>(call: () => Promise<ApiResult<Answer>>): Promise<{ data: Answer } | null> {
    setBusy(true);
    setProblem(null);
    const answer = await call();
    setBusy(false);
    if (answer.ok) {
      onDone();
      return answer;
    }
    setProblem(answer.error);
    return null;
  }

  return {
    busy,
    problem,
    /** The next question is another one. */
    cancel() {
      setProblem(null);
      onDone();
    },
    async answer(consent: 'yes' | 'family') {
      const done = await send(() => api('POST /api/v1/family/{child}/consent', { params, body: { consent } }));
      if (done === null) return;
      showToast(done.data.message, 'success');
      await revalidate();
    },
    async refuse() {
      const done = await send(() => api('POST /api/v1/family/{child}/not_mine', { params }));
      if (done === null) return;
      showToast(done.data.message, 'success');
      await navigate(familyPath(affiliate), { replace: true });
    },
    async forgetUs() {
      const done = await send(() => api('POST /api/v1/family/{child}/forget_us', { params }));
      if (done !== null) showToast(done.data.message, 'success');
    },
    async forget() {
      const done = await send(() => api('DELETE /api/v1/family/{child}', { params }));
      if (done !== null) await navigate(familyPath(affiliate), { replace: true });
    },
    async forgetDevice() {
      const done = await send(() => api('DELETE /api/v1/family', {}));
      if (done !== null) await navigate(familyPath(affiliate), { replace: true });
    },
  };
}
