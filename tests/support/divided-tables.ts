/** The tables of photos, orders and postings in partitions, as an operator may divide them (decision record 0082). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withClient } from '#src/platform/db/client.ts';

const FILE = path.join(import.meta.dirname, '../../deploy/partitions/by-organization.sql');

/** What `psql -f` does with the file: each statement in its own transaction. @param ownerUrl of the tables' owner */
export async function divideTables(ownerUrl: string, parts: number): Promise<void> {
  const statements = statementsOf(await readFile(FILE, 'utf8'));
  await withClient(ownerUrl, async (client) => {
    await client.query(`set sideline.parts = ${parts}`);
    for (const statement of statements) await client.query(statement);
  });
}

/** A statement ends with its line, unless it is one of a body between `$$`. */
function statementsOf(text: string): string[] {
  const statements = [''];
  let isBody = false;
  for (const line of text.split('\n')) {
    statements[statements.length - 1] += `${line}\n`;
    if (line.split('$$').length % 2 === 0) isBody = !isBody;
    if (!isBody && line.endsWith(';')) statements.push('');
  }
  return statements.filter((statement) => statement.trim() !== '');
}
