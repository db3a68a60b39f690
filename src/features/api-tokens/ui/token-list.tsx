import { useState } from 'react';
import {
  SCOPE_WORDS,
  type MadeToken,
  type TokenAnswer,
  type TokensPage,
} from '#src/features/api-tokens/api-tokens.contract.ts';
import { isOver } from '#src/features/api-tokens/api-tokens.rules.ts';
import { MakeToken } from '#src/features/api-tokens/ui/make-token.tsx';
import { publicMoment } from '#src/shared/dates.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Lock, Plus } from '#src/ui/icon.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { SecretDialog } from '#src/ui/secret-dialog.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type TokenListProps = {
  organizationId: number;
  first: TokensPage;
  timeZone: string;
  /** The server's time, which decides what has expired. */
  now: number;
};

/** Tokens, newest first; ended ones stay as a history. */
export function TokenList({ organizationId, first, timeZone, now }: TokenListProps) {
  const {
    rows: tokens,
    setRows,
    more,
  } = useMoreRows(first, 'tokens', (query) =>
    api('GET /api/v1/affiliates/{id}/api_tokens', { params: { id: organizationId }, query }),
  );
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const [revoking, setRevoking] = useState<TokenAnswer | null>(null);
  const make = (
    <Button className="self-start" onClick={() => setMaking(true)}>
      <Plus aria-hidden="true" />
      Create a token
    </Button>
  );
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {tokens.length === 0 ? (
        <EmptyState icon={<Lock />} title="No tokens yet" action={make}>
          Create one for each program, so that you can revoke each separately.
        </EmptyState>
      ) : (
        <>
          {make}
          <ul aria-label="API tokens" className="flex flex-col gap-3">
            {tokens.map((token) => (
              <li key={token.id} className="rounded-lg border border-line bg-surface p-4">
                <TokenCard
                  token={token}
                  timeZone={timeZone}
                  isOver={isOver(token, now)}
                  onRevoke={() => setRevoking(token)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <ShowMore {...more} />
      {isMaking && (
        <MakeToken
          organizationId={organizationId}
          onClose={() => setMaking(false)}
          onMade={({ token, ...row }) => {
            setMaking(false);
            setRows((known) => [row, ...known]);
            setMade({ ...row, token });
          }}
        />
      )}
      {made && (
        <SecretDialog title="Copy your token now" name="Token" secret={made.token} onClose={() => setMade(null)}>
          Anyone with this token can do what you chose for “{made.name}”, so keep it as safe as a password.
        </SecretDialog>
      )}
      {revoking && (
        <RevokeToken
          token={revoking}
          organizationId={organizationId}
          onClose={() => setRevoking(null)}
          onRevoked={(revoked) => {
            setRevoking(null);
            setRows((known) => known.map((each) => (each.id === revoked.id ? revoked : each)));
            showToast('Token revoked', 'success');
          }}
        />
      )}
    </div>
  );
}

type TokenCardProps = { token: TokenAnswer; timeZone: string; isOver: boolean; onRevoke: () => void };

function TokenCard({ token, timeZone, isOver: hasEnded, onRevoke }: TokenCardProps) {
  const { name, ending, scopes, expires_at: end, last_used_at: used, revoked_at: revoked } = token;
  return (
    <div className="flex items-start gap-4 text-sm max-sm:flex-col max-sm:gap-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <strong className="font-semibold break-words">{name}</strong>
          {revoked !== null && <Badge>Revoked</Badge>}
          {revoked === null && hasEnded && <Badge>Expired</Badge>}
        </p>
        <p className="mt-1 flex flex-wrap gap-1.5">
          {scopes.map((scope) => (
            <Badge key={scope} tone={hasEnded ? 'neutral' : 'accent'}>
              {SCOPE_WORDS[scope].label}
            </Badge>
          ))}
        </p>
        <p className="mt-1.5 text-quiet">
          Ends in <code>{ending}</code>. Created by {token.made_by},{' '}
          <DateText at={new Date(token.created_at)} timeZone={timeZone} />.{' '}
          {used === null ? 'Never used.' : `Last used ${publicMoment(new Date(used), timeZone)}.`}{' '}
          {revoked === null && (end === null ? 'Does not expire.' : <Expiry end={end} timeZone={timeZone} />)}
        </p>
      </div>
      {!hasEnded && (
        <Button variant="quiet" size="small" className="max-sm:-ml-3" onClick={onRevoke}>
          Revoke<span className="sr-only"> {name}</span>
        </Button>
      )}
    </div>
  );
}

function Expiry({ end, timeZone }: { end: string; timeZone: string }) {
  return (
    <>
      Expires <DateText at={new Date(end)} timeZone={timeZone} />.
    </>
  );
}

type RevokeTokenProps = {
  token: TokenAnswer;
  organizationId: number;
  onClose: () => void;
  onRevoked: (token: TokenAnswer) => void;
};

function RevokeToken({ token, organizationId, onClose, onRevoked }: RevokeTokenProps) {
  const params = { id: organizationId, tokenId: token.id };
  return (
    <ConfirmCall
      title="Revoke this token?"
      confirmLabel="Revoke"
      busy="Revoking..."
      call={() => api('DELETE /api/v1/affiliates/{id}/api_tokens/{tokenId}', { params })}
      onDone={onRevoked}
      onCancel={onClose}
    >
      <p>
        The program that uses <strong className="font-semibold break-words text-ink">{token.name}</strong> loses access
        immediately. This cannot be undone.
      </p>
    </ConfirmCall>
  );
}
