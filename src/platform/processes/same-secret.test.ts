/** What an operator sees who starts with another `APP_SECRET`. */
import { beforeEach, expect, test } from 'vitest';
import { requireSameSecret } from '#src/platform/processes/same-secret.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const data = useTestDatabase();
const OWN = 'the secret of this installation, 40 signs';
const OTHER = 'the secret of another installation, 43 signs';

beforeEach(() => data.ownerQuery("delete from house_marks where name like 'secret %'"));

const of = (appSecret: string, allowSandbox = false) => ({ appSecret, allowSandbox });

test('a database accepts the secret of its first start, in a rehearsal any, and else no other until the operator removes its mark', async () => {
  await requireSameSecret(data.ownerUrl, of(OWN));
  await requireSameSecret(data.ownerUrl, of(OWN));
  await expect(requireSameSecret(data.ownerUrl, of(OTHER))).rejects.toThrow(
    'APP_SECRET is not the one with which this database was used before: set that one.',
  );
  await requireSameSecret(data.ownerUrl, of(OWN));

  await requireSameSecret(data.ownerUrl, of(OTHER, true));
  // The command of docs/operations.md for a secret that is lost.
  await data.ownerQuery("delete from house_marks where name like 'secret %'");
  await requireSameSecret(data.ownerUrl, of(OTHER));
  await expect(requireSameSecret(data.ownerUrl, of(OWN))).rejects.toThrow('APP_SECRET is not the one');
});

test('of processes that start at the same moment with different secrets only one is accepted', async () => {
  const starts = [OWN, OTHER, OWN, OTHER].map((secret) => requireSameSecret(data.ownerUrl, of(secret)));
  await Promise.allSettled(starts);
  const accepted = await Promise.allSettled([OWN, OTHER].map((secret) => requireSameSecret(data.ownerUrl, of(secret))));
  expect(accepted.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});
