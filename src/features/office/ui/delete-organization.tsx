import { useState } from 'react';
import {
  CONFIRM_DELETION,
  DELETION_ERROR,
  DELETION_FAILED,
  ORGANIZATION_DELETED,
} from '#src/features/office/delete-organization.contract.ts';
import { choiceLabel } from '#src/features/organization-picker/organization-choices.contract.ts';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { showToast } from '#src/ui/toast.ts';
import { callApi } from '#src/web/api-client.ts';

export type OrganizationToDelete = { id: number; name: string; domainName: string; parentId: number | null };

type DeleteOrganizationProps = {
  /** Null: nothing is to be deleted. */
  organization: OrganizationToDelete | null;
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks, and deletes; a refusal says why, in the dialog that asked. */
export function DeleteOrganization({ organization, onClose, onDeleted }: DeleteOrganizationProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  function close(): void {
    setProblem(null);
    onClose();
  }

  async function remove(): Promise<void> {
    if (!organization) return;
    const { id, domainName, parentId } = organization;
    setBusy(true);
    setProblem(null);
    const path = `/api/v1/organizations/${encodeURIComponent(domainName)}?org_id=${parentId ?? id}`;
    const answer = await callApi('DELETE', path);
    setBusy(false);
    if (!answer.ok) {
      showToast(answer.status === 0 ? DELETION_ERROR : DELETION_FAILED, 'error');
      return setProblem(answer.error);
    }
    showToast(ORGANIZATION_DELETED, 'success');
    close();
    onDeleted();
  }

  return (
    <ConfirmDialog
      open={organization !== null}
      title={CONFIRM_DELETION}
      confirmLabel="Delete"
      busy={isBusy ? 'Deleting...' : false}
      problem={problem}
      onConfirm={() => void remove()}
      onCancel={close}
    >
      <p>
        Delete <strong className="font-semibold break-words text-ink">{choiceLabel(organization)}</strong>
        {organization && ` (ID ${organization.id})`}?
      </p>
      <p className="mt-2 text-sm">
        Its pages and galleries close, and its members are signed out. Buyers keep their photos and receipts.
      </p>
    </ConfirmDialog>
  );
}
