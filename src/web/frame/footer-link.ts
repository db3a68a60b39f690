/** The look of a link in a footer. */
export const FOOTER_LINK =
  'inline-flex min-h-11 items-center underline decoration-transparent underline-offset-4 transition-colors hover:text-ink hover:decoration-line-strong pointer-fine:min-h-7';
