import { useState, type ReactNode } from 'react';
import { Link, useNavigate, useNavigation, useRevalidator } from 'react-router';
import { COUNTED_UP_TO } from '#src/features/office/organization-list.contract.ts';
import { listAddress, type AccountParams } from '#src/features/office/organization-list.rules.ts';
import { formatCount } from '#src/shared/counted.ts';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import {
  CONFIRM_DELETION,
  DELETION_ERROR,
  DELETION_FAILED,
  ORGANIZATION_DELETED,
} from '#src/features/office/delete-organization.contract.ts';
import { choiceLabel } from '#src/features/organization-picker/organization-choices.contract.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ChevronLeft, ChevronRight, SearchX } from '#src/ui/icon.tsx';

type OfficeListProps = {
  title: string;
  action?: ReactNode;
  /** Of the page itself. */
  path: string;
  /** The search text, and the other parameters to keep. */
  search: string;
  kept?: Partial<AccountParams>;
  searchLabel: string;
  placeholder: string;
  /** Up to 10,000. */
  count: number;
  /** Singular and plural. */
  things: readonly [string, string];
  /** Shown if a search finds nothing; `none` if there is nothing at all. */
  tryThis: string;
  none?: ReactNode;
  previous: string | null;
  next: string | null;
  /** The rows; null if there are none. */
  rows: ((onDelete: (row: OrganizationToDelete) => void) => ReactNode) | null;
  /** Called after a deletion, before the list is loaded again; returns whether another page was opened. */
  leavesWith?: (id: number) => boolean;
};

/** A list of organizations: its count, its search, a page of rows, and deleting one of them. */
export function OfficeList(props: OfficeListProps) {
  const { title, action, path, search, kept = {}, count, things, previous, next, rows, leavesWith } = props;
  const [toDelete, setToDelete] = useState<OrganizationToDelete | null>(null);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const isLoading = useNavigation().location?.pathname === path;
  const { sort, direction } = kept;

  return (
    <Main className="pb-12">
      <PageHeader title={title} action={action} />
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5">
        <p role="status" className="text-sm text-quiet">
          {counted(count, things)}
          {search !== '' && ` for “${search}”`}
        </p>
        <div className="w-full sm:w-80">
          <SearchForm
            label={props.searchLabel}
            placeholder={props.placeholder}
            value={search}
            kept={{
              ...(sort === undefined || (sort === 'id' && direction === 'asc') ? {} : { sort }),
              ...(direction === 'desc' ? { direction } : {}),
            }}
            onSearch={(text) =>
              void navigate(listAddress(path, { ...kept, search: text }), { replace: true, preventScrollReset: true })
            }
          />
        </div>
      </div>
      <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
        {rows ? rows(setToDelete) : (search === '' && props.none) || <NothingFound {...props} />}
        <PageLinks previous={previous} next={next} />
      </div>
      <DeleteOrganization
        organization={toDelete}
        onClose={() => setToDelete(null)}
        onDeleted={() => {
          if (!toDelete || !leavesWith?.(toDelete.id)) void revalidate();
        }}
      />
    </Main>
  );
}

function counted(count: number, [one, several]: readonly [string, string]): string {
  return count === 1 ? `1 ${one}` : `${formatCount(count)}${count >= COUNTED_UP_TO ? '+' : ''} ${several}`;
}

function NothingFound({ path, search, things: [, several], tryThis }: OfficeListProps) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={`No ${several} match “${search}”`}
      action={
        <LinkButton to={path} variant="secondary">
          Show all {several}
        </LinkButton>
      }
    >
      {tryThis}
    </EmptyState>
  );
}

type OrganizationToDelete = { id: number; name: string; domainName: string; parentId: number | null };

type DeleteOrganizationProps = {
  /** Null: nothing is being deleted. */
  organization: OrganizationToDelete | null;
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks for confirmation and deletes; the dialog shows why if it is refused. */
function DeleteOrganization({ organization, onClose, onDeleted }: DeleteOrganizationProps) {
  if (!organization) return null;
  const { id, domainName, parentId } = organization;
  return (
    <ConfirmCall
      title={CONFIRM_DELETION}
      confirmLabel="Delete"
      busy="Deleting..."
      call={() =>
        api('DELETE /api/v1/organizations/{id}', {
          params: { id: domainName },
          query: { org_id: parentId ?? id },
        })
      }
      onDone={() => {
        showToast(ORGANIZATION_DELETED, 'success');
        onClose();
        onDeleted();
      }}
      onRefused={({ status }) => showToast(status === 0 ? DELETION_ERROR : DELETION_FAILED, 'error')}
      onCancel={onClose}
    >
      <p>
        Delete <strong className="font-semibold break-words text-ink">{choiceLabel(organization)}</strong>
        {` (ID ${id})`}?
      </p>
      <p className="mt-2 text-sm">
        Its pages and galleries close, and its members are logged out. Buyers keep their photos and receipts.
      </p>
    </ConfirmCall>
  );
}

/** Links to the previous and next pages; null if there is none. */
function PageLinks({ previous, next }: { previous: string | null; next: string | null }) {
  if (previous === null && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-between gap-3 pt-4">
      {previous === null ? (
        <span />
      ) : (
        <Link to={previous} rel="prev" className={buttonStyle({ variant: 'secondary', size: 'small' })}>
          <ChevronLeft aria-hidden="true" />
          Previous
        </Link>
      )}
      {next !== null && (
        <Link to={next} rel="next" className={buttonStyle({ variant: 'secondary', size: 'small' })}>
          Next
          <ChevronRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
