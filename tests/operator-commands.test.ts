/** What the operator's commands answer to mistakes: one sentence or the usage, and never the lines of the program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { NODE_ENVIRONMENT } from '#tests/support/node-environment.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const NOWHERE = { DATABASE_URL: 'postgres://sideline@127.0.0.1:9/sideline' };

type Ended = { code: number | null; said: string };

/** A command on the database of the test; `typed` is what it reads. */
async function run(command: string, typed = '', env: Record<string, string> = {}): Promise<Ended> {
  const [script = '', ...words] = command.split(' ');
  const { dataDir, appSecret } = server.platform.config;
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../scripts', script), ...words], {
    env: {
      ...NODE_ENVIRONMENT,
      DATABASE_URL: server.data.superUrl,
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
      ALLOW_SANDBOX: '1',
      ...env,
    },
  });
  child.stdin.end(typed);
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, said: (said + complained).trim() };
}

test.each([
  ['admin.ts create-admin ann@people.test', 'Usage:\n  npm run admin -- create-admin EMAIL'],
  ['backup.ts --keeep 3 /nowhere/', "Unknown option '--keeep'"],
  ['check-invariants.ts --at yesterday', 'Usage: npm run check:invariants -- [--at TIME]'],
  ['storage-check.ts --repairs', "Unknown option '--repairs'"],
  ['storage-check.ts --repair --originals /dev/fd', 'There are no originals in /dev/fd:'],
  ['make-bucket.ts https://*.sideline.example', 'S3_BUCKET must be set.'],
])('%s is refused in words', async (command, words) => {
  const { code, said } = await run(command);
  expect(said).toContain(words);
  expect(said).not.toMatch(/\n\s+at /);
  expect(code).toBeGreaterThan(0);
});

test.each(['admin.ts organizations', 'backup.ts /nowhere/'])(
  '%s says that the database does not answer',
  async (command) => {
    const { code, said } = await run(command, '', NOWHERE);
    expect(said).toBe('The database does not answer: connect ECONNREFUSED 127.0.0.1:9.');
    expect(code).toBeGreaterThan(0);
  },
);

test('admin.ts organizations lists all, however many there are, and wrong words end with 2', async () => {
  await server.data.ownerQuery(
    `insert into organizations (kind, name, domain_name, contact_name, contact_email)
     select 'organization', 'Many ' || (n % 7), 'many-' || n, 'Contact', 'many@clubs.test' from generate_series(1, 2100) n`,
  );
  const { code, said } = await run('admin.ts organizations');
  const paths = said.split('\n').map((line) => line.split('\t')[2] ?? '');
  expect(code).toBe(0);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => path.startsWith('many-'))).toHaveLength(2100);
  expect((await run('admin.ts organization')).code).toBe(2);
});

describe('a platform admin by hand', () => {
  const admins = () =>
    server.data.ownerQuery<{ email: string }>('select email from users where role_id = 2 order by email');

  test('is made once, with an address and a password that sign-up accepts, too', async () => {
    const before = await admins();
    expect(await run('admin.ts create-admin ann Ann', '')).toMatchObject({ code: 2 });
    expect(await run(`admin.ts create-admin nowhere Ann ${'x'.repeat(101)}`)).toEqual({
      code: 1,
      said: 'EMAIL: Invalid email address\nLAST_NAME: At most 100 characters, please.',
    });
    for (const [typed, words] of [
      ['', 'PASSWORD: No password was typed.'],
      ['nine 1234\n', 'PASSWORD: Minimum 10 chars'],
      ['password123\n', 'PASSWORD: Password is too common.'],
    ] as const) {
      const { code, said } = await run('admin.ts create-admin boss@hand.test Ann Lee', typed, { PASSWORD_MIN: '10' });
      expect(said).toContain(words);
      expect(code).toBe(1);
    }
    expect(await admins()).toEqual(before);

    const made = await run('admin.ts create-admin Boss@Hand.test Ann Lee', 'a goalkeeper of ours');
    expect(made).toMatchObject({ code: 0, said: expect.stringContaining('boss@hand.test is a platform admin now.') });
    const again = await run('admin.ts create-admin boss@hand.test Ann Lee', 'a goalkeeper of ours\n');
    expect(again.said).toContain('boss@hand.test has an account already: give the platform admin another');
    expect(again.code).toBe(1);
    expect(await admins()).toHaveLength(before.length + 1);
  });
});
