import { Link } from 'react-router';

/** `path`: the organization's. */
export function PayeeUnknown({ path }: { path: string }) {
  return (
    <>
      Your settings do not say where payouts go.{' '}
      <Link to={`/${path}/settings#billing`} className="font-semibold text-ink underline underline-offset-4">
        Add a billing address
      </Link>
    </>
  );
}
