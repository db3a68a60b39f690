import type { ComponentProps } from 'react';
import { Link } from 'react-router';

const LOOK = 'font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink';

/** A link in running text. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link {...props} className={LOOK} />;
}

/** An address to write to, which may be long. */
export function MailLink({ address }: { address: string }) {
  return (
    <a href={`mailto:${address}`} className={`${LOOK} wrap-anywhere`}>
      {address}
    </a>
  );
}
