/** The look of every text control: 17 px, so that phones do not zoom in; a placeholder that is too long ends in "…". */
export const CONTROL =
  'w-full min-h-11 rounded border border-line-strong bg-surface px-3 py-2 text-base text-ellipsis text-ink placeholder:text-quiet disabled:bg-sunken disabled:text-quiet aria-invalid:border-danger aria-invalid:border-2';

/** A box of 22 px beside small text: in the middle of its first line, which is 22 px high at 100 % text and grows with it. */
export const BOX = 'mt-[calc(0.6875rem-11px)] size-5.5 shrink-0 accent-accent-text';

/** The label of a checkbox: its whole line can be clicked. Links inside it stay on top. */
export const WHOLE_LINE = 'after:absolute after:inset-0 [&_a]:relative [&_a]:z-1';
