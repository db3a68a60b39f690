import { cx } from '#src/ui/cx.ts';

export const LINK_STYLE =
  'font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink';

/** An email address, which may be long. On its own line it is as high as a touch target. */
export function MailLink({ address, alone = false }: { address: string; alone?: boolean }) {
  return (
    <a
      href={`mailto:${address}`}
      className={cx(LINK_STYLE, 'wrap-anywhere', alone && 'inline-flex min-h-11 items-center')}
    >
      {address}
    </a>
  );
}
