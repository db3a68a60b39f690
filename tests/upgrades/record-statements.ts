/**
 * `RECORD_STATEMENTS=FILE npx vitest run --project=unit`: records every statement that the app's role sends while the
 * tests run, one text a line as JSON. `keep-statements.ts` turns it into the record of a release for the next one
 * (CONTRIBUTING.md, "Release").
 */
import { appendFileSync } from 'node:fs';
import pg from 'pg';
import { APP_ROLE } from '#src/platform/db/client.ts';

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

export function recordStatements(file: string): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  if (query.name === 'recorded') return;
  const seen = new Set<string>();
  prototype.query = function recorded(this: pg.Client, ...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '');
    if (this.user === APP_ROLE && !seen.has(text)) {
      seen.add(text);
      appendFileSync(file, `${JSON.stringify(text)}\n`);
    }
    return query.apply(this, args);
  };
}
