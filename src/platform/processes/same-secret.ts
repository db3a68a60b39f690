/**
 * Whether `APP_SECRET` is the one with which this database has been used (decision record 0193): with another one codes
 * on printed cards are unknown, and what is encrypted cannot be read.
 */
import { withClient } from '#src/platform/db/client.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { deriveKey } from '#src/platform/secrets.ts';

/** Derived for this purpose alone: nothing can be opened with it. */
const markOf = (appSecret: string) => `secret ${deriveKey(appSecret, 'mark of the secret').toString('base64url')}`;

/**
 * Marks a database with its secret at the first start. A rehearsal (`ALLOW_SANDBOX=1`) is not asked and marks nothing, because
 * it may run with a secret that is made for each of its folders.
 * @throws StartError if it was marked with another one
 */
export async function requireSameSecret(
  ownerUrl: string,
  { appSecret, allowSandbox }: { appSecret: string; allowSandbox: boolean },
): Promise<void> {
  if (allowSandbox) return;
  const mark = markOf(appSecret);
  const first = await withClient(ownerUrl, async (client) => {
    await client.query(
      `insert into house_marks (name)
       select $1 where not exists (select from house_marks where name like 'secret %') on conflict do nothing`,
      [mark],
    );
    const { rows } = await client.query<{ name: string }>(
      `select name from house_marks where name like 'secret %' order by at, name limit 1`,
    );
    return rows[0]?.name;
  });
  if (first !== mark)
    throw new StartError(
      'APP_SECRET is not the one with which this database was used before: set that one. Without DATABASE_URL and APP_SECRET it is in DATA_DIR/secrets/app-secret. If it is lost, see "Secrets" in docs/operations.md.',
    );
}
