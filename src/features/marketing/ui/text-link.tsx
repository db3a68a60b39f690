import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { cx } from '#src/ui/cx.ts';

const LOOK = 'font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink';

/** A link in running text. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link {...props} className={LOOK} />;
}

/** An address to write to, which may be long. Alone it is as high as a finger wants it. */
export function MailLink({ address, alone = false }: { address: string; alone?: boolean }) {
  return (
    <a href={`mailto:${address}`} className={cx(LOOK, 'wrap-anywhere', alone && 'inline-flex min-h-11 items-center')}>
      {address}
    </a>
  );
}
