/** Stripe's format of nested values in a form: `a[b][0]=c`. */
export type Form = { [name: string]: string | Form };

export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    let place = form;
    path.slice(0, -1).forEach((part) => {
      const inner = place[part];
      place = typeof inner === 'object' ? inner : ((place[part] = {}) as Form);
    });
    place[path.at(-1) ?? ''] = value;
  }
  return form;
}

export const text = (value: Form[string] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
export const nested = (value: Form[string] | undefined): Form => (typeof value === 'object' ? value : {});

/** The same content whatever its order. */
export function canonical(value: Form[string]): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${key}:${canonical(value[key] ?? '')}`)
    .join(',')}}`;
}
