/** The look of every text control: 17 px, so that phones do not zoom in. */
export const CONTROL =
  'w-full min-h-11 rounded border border-line-strong bg-surface px-3 py-2 text-base text-ink placeholder:text-quiet disabled:bg-sunken disabled:text-quiet aria-invalid:border-danger aria-invalid:border-2';

/** The label of a checkbox: its whole line can be clicked. Links inside it stay on top. */
export const WHOLE_LINE = 'after:absolute after:inset-0 [&_a]:relative [&_a]:z-1';
