/** Whose rows a piece of work may touch; the database holds it to that (row-level security). */
export type Scope =
  /** Only public rows are visible; nothing can be written. */
  | { kind: 'public' }
  | { kind: 'tenants'; organizationIds: readonly number[] }
  /** Our own work; `why` is for the reader. */
  | { kind: 'system'; why: string };

/** The value of `app.organization_ids`. Digits, commas or a star only, so that it is safe in a statement's text. */
export function scopeText(scope: Scope): string {
  if (scope.kind === 'public') return '';
  if (scope.kind === 'system') return '*';
  for (const id of scope.organizationIds) {
    if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`not an organization id: ${id}`);
  }
  return scope.organizationIds.join(',');
}
