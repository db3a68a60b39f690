/** `npm run admin -- …`: an operator's manual tasks. Passwords are asked for on stdin, never taken as an argument. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createAccountService } from '#src/features/accounts/accounts.service.ts';
import { createAuditService } from '#src/features/audit/audit.service.ts';
import { createOrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { systemClock } from '#src/platform/clock.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { openProductData } from './product-data.ts';

const USAGE = `Usage:
  npm run admin -- create-admin EMAIL FIRST_NAME LAST_NAME   makes a platform admin
  npm run admin -- reset-password EMAIL                      sets a new password and ends all sessions
  npm run admin -- organizations                             lists organizations`;

/** Shows nothing of what is typed. */
async function askPassword(): Promise<string> {
  process.stderr.write('Password (at least 6 characters; typing shows nothing): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  const password = await prompt.question('');
  prompt.close();
  process.stderr.write('\n');
  if (password.length < 6) throw new Error('The password must have at least 6 characters.');
  return password;
}

async function run([command, ...rest]: readonly string[]): Promise<number> {
  const [email, firstName, lastName] = rest;
  const beside = await openProductData('admin');
  try {
    const { database, storage } = beside;
    const organizations = createOrganizationService({ database, storage, clock: systemClock });
    const limits = createRateLimits({ database, factor: 1 });
    const accounts = createAccountService({
      audit: createAuditService({ database, limits, organizations }),
      database,
      limits,
      clock: systemClock,
    });
    if (command === 'create-admin' && email && firstName && lastName) {
      await accounts.createUser({
        email: email.toLowerCase(),
        firstName,
        lastName,
        password: await askPassword(),
        roleId: 2,
        administers: [],
        byHand: true,
      });
      console.log(`${email} is a platform admin now.`);
      return 0;
    }
    if (command === 'reset-password' && email) {
      const found = await accounts.resetPassword(email, await askPassword());
      console.log(
        found
          ? `${email} has a new password; all sessions of theirs have ended.`
          : `No account has the email address ${email}.`,
      );
      return found ? 0 : 1;
    }
    if (command === 'organizations') {
      for (const one of await organizations.listForSearch())
        console.log([one.id, one.kind, one.domainName, one.name].join('\t'));
      return 0;
    }
    console.error(USAGE);
    return 2;
  } finally {
    await beside.close();
  }
}

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});
