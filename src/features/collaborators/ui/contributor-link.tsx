import { useState, type FormEvent } from 'react';
import { changeLink, qrAddress } from '#src/features/collaborators/collaborators.client.ts';
import {
  QUOTA_INVALID,
  type ContributeKeyBody,
  type ContributorLink,
} from '#src/features/collaborators/collaborators.contract.ts';
import { qrCardPath } from '#src/features/sharing/gallery-share.rules.ts';
import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { formatCount } from '#src/shared/counted.ts';
import { machineDay } from '#src/shared/dates.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Link2 } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import type { ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type LinkProps = {
  galleryId: number;
  link: ContributorLink | null;
  /** The organization's. */
  timeZone: string;
  /** The gallery's public page shows the call to contribute. */
  isOnPage: boolean;
  onChanged: () => void;
};

/** The link of a gallery: to copy, print, limit, replace and end. */
export function ContributorLinkPart({ galleryId, link, timeZone, isOnPage, onChanged }: LinkProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function change(body: ContributeKeyBody): Promise<ApiResult<unknown>> {
    setBusy(true);
    setProblem(null);
    const answer = await changeLink(galleryId, body);
    setBusy(false);
    if (answer.ok) onChanged();
    else if (Object.keys(answer.errors).length === 0) setProblem(answer.error);
    return answer;
  }

  const problemLine = problem !== null && (
    <p role="alert" className="text-sm font-semibold text-danger">
      {problem}
    </p>
  );
  if (link === null)
    return (
      <>
        <p className="text-sm text-quiet">This gallery has no link. Personal invites work without one.</p>
        <Button
          variant="secondary"
          size="small"
          className="self-start"
          busy={isBusy && 'Creating a link...'}
          onClick={() => void change({ action: 'rotate' })}
        >
          Create a link
        </Button>
        {problemLine}
      </>
    );
  return (
    <>
      <LinkToShare galleryId={galleryId} link={link} timeZone={timeZone} isOnPage={isOnPage} />
      <Limits
        key={`${link.contribute_key} ${link.expires_at} ${link.quota}`}
        link={link}
        timeZone={timeZone}
        isBusy={isBusy}
        change={change}
      />
      {problemLine}
      <Endings isBusy={isBusy} change={change} link={link} />
    </>
  );
}

type LinkToShareProps = { galleryId: number; link: ContributorLink; timeZone: string; isOnPage: boolean };

/** To copy, to scan and to print. */
function LinkToShare({ galleryId, link, timeZone, isOnPage }: LinkToShareProps) {
  return (
    <>
      <p className="text-sm text-quiet">
        Anyone with this link can send photos.{' '}
        {isOnPage
          ? 'It is also shown on the gallery’s page.'
          : 'To show it on the gallery’s page, turn on “Public contributions” in Settings.'}
      </p>
      <input
        readOnly
        aria-label="Contributor link"
        value={link.url}
        onFocus={(event) => event.target.select()}
        className={`${CONTROL} bg-sunken text-sm`}
      />
      <div className="flex flex-wrap items-start gap-4">
        <img
          src={qrAddress(galleryId, link.contribute_key)}
          alt="QR code of the contributor link"
          width={148}
          height={148}
          loading="lazy"
          className="rounded border border-line bg-white"
        />
        <div className="flex flex-1 basis-36 flex-col items-start gap-3">
          <Button variant="secondary" size="small" onClick={() => void copyText(link.url)}>
            <Link2 aria-hidden="true" />
            Copy link
          </Button>
          {!link.is_expired && (
            <a
              href={qrCardPath(galleryId, 'contribute')}
              target="_blank"
              rel="noopener"
              className={buttonStyle({ variant: 'secondary', size: 'small' })}
            >
              Print a page
            </a>
          )}
          <Used link={link} timeZone={timeZone} />
        </div>
      </div>
    </>
  );
}

function Used({ link, timeZone }: { link: ContributorLink; timeZone: string }) {
  const { used, quota, expires_at: end, is_expired: isExpired } = link;
  const isUsedUp = quota !== null && used >= quota;
  return (
    <div className="flex flex-col items-start gap-1.5 text-sm tabular-nums">
      <p>
        {formatCount(used)}
        {quota === null ? '' : ` of ${formatCount(quota)}`} {used === 1 && quota === null ? 'photo' : 'photos'} received
      </p>
      {end !== null && !isExpired && (
        <p className="text-quiet">
          Until <DateText at={lastMoment(end)} timeZone={timeZone} />
        </p>
      )}
      {isExpired && <Badge tone="warning">Expired</Badge>}
      {isUsedUp && <Badge tone="warning">Used up</Badge>}
    </div>
  );
}

/** A day that counts completely ends with the start of the next one. */
function lastMoment(end: string): Date {
  return new Date(new Date(end).getTime() - 1);
}

type Change = (body: ContributeKeyBody) => Promise<ApiResult<unknown>>;
type PartProps = { link: ContributorLink; isBusy: boolean; change: Change };

function Limits({ link, timeZone, isBusy, change }: PartProps & { timeZone: string }) {
  const before = {
    expires_at: link.expires_at === null ? '' : machineDay(lastMoment(link.expires_at), timeZone),
    quota: link.quota === null ? '' : String(link.quota),
  };
  const form = useForm(before, ({ quota }) => (Number.isInteger(Number(quota)) ? {} : { quota: [QUOTA_INVALID] }));
  const { expires_at: day, quota } = form.values;
  const isChanged = day !== before.expires_at || quota.trim() !== before.quota;

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    await form.send(() =>
      change({
        action: 'change',
        ...(day === before.expires_at ? {} : { expires_at: day === '' ? null : day }),
        quota: quota.trim() === '' ? null : Number(quota),
      }),
    );
  }

  return (
    <form method="dialog" noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-3">
        <TextField label="Works until" type="date" {...form.field('expires_at')} />
        <TextField
          label="Maximum photos"
          inputMode="numeric"
          placeholder="No limit"
          maxLength={7}
          {...form.field('quota')}
        />
      </div>
      {isChanged && (
        <Button type="submit" size="small" className="self-start" busy={isBusy && 'Updating...'}>
          Save limits
        </Button>
      )}
    </form>
  );
}

function Endings({ link, isBusy, change }: PartProps) {
  const [confirming, setConfirming] = useState<'rotate' | 'revoke' | null>(null);
  const carryOut = async () => {
    const day = link.expires_at !== null && !link.is_expired ? { expires_at: link.expires_at } : {};
    await change(confirming === 'rotate' ? { action: 'rotate', ...day, quota: link.quota } : { action: 'revoke' });
    setConfirming(null);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="secondary" size="small" onClick={() => setConfirming('rotate')}>
        New link
      </Button>
      <Button variant="quiet" size="small" onClick={() => setConfirming('revoke')}>
        End link
      </Button>
      <ConfirmDialog
        open={confirming !== null}
        title={confirming === 'rotate' ? 'Create a new link?' : 'End this link?'}
        confirmLabel={confirming === 'rotate' ? 'Create a new link' : 'End link'}
        busy={isBusy ? (confirming === 'rotate' ? 'Creating a link...' : 'Ending...') : false}
        onConfirm={() => void carryOut()}
        onCancel={() => setConfirming(null)}
      >
        <p>
          The old link and its printed QR codes stop working immediately, including for uploads in progress. Uploaded
          photos stay.
        </p>
      </ConfirmDialog>
    </div>
  );
}
