import { cx } from '#src/ui/cx.ts';

export const LINK_STYLE =
  'font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink';

/** An address to write to, which may be long. Alone it is as high as a finger wants it. */
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
