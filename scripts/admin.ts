/** `npm run admin -- …`: an operator's manual tasks. Passwords are asked for on stdin, never taken as an argument. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import * as z from 'zod/mini';
import { createAccountService } from '#src/features/accounts/accounts.service.ts';
import { createAuditService } from '#src/features/audit/audit.service.ts';
import { isCommonPassword } from '#src/features/sign-in/common-passwords.rules.ts';
import { accountEmail, newPassword } from '#src/features/sign-in/passwords.contract.ts';
import { createOrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { systemClock } from '#src/platform/clock.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { requiredText } from '#src/shared/validators.ts';
import { openProductData, type Beside } from './product-data.ts';

const USAGE = `Usage:
  npm run admin -- create-admin EMAIL FIRST_NAME LAST_NAME   makes a platform admin
  npm run admin -- reset-password EMAIL                      sets a new password and ends all sessions
  npm run admin -- organizations                             lists organizations`;

/** As of most programs. */
const WRONG_USAGE = 2;
const PERSON = z.object({ EMAIL: accountEmail, FIRST_NAME: requiredText(100), LAST_NAME: requiredText(100) });
const UNIQUE_VIOLATION = '23505';

type Task = (beside: Beside) => Promise<number>;

/** @throws StartError with every problem of what was typed */
function checked<Value>(schema: z.ZodMiniType<Value>, typed: unknown): Value {
  const read = z.safeParse(schema, typed);
  if (read.success) return read.data;
  throw new StartError(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

/** Shows nothing of what is typed. */
async function askPassword(): Promise<string> {
  const { passwordMin: minimum } = readConfig(process.env);
  process.stderr.write(`Password (at least ${minimum} characters; typing shows nothing): `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  const typed = await Promise.race([once(prompt, 'line'), once(prompt, 'close')]).then(([line = '']) => String(line));
  prompt.close();
  process.stderr.write('\n');
  const password = newPassword('No password was typed.', { minimum, isCommon: isCommonPassword });
  return checked(z.object({ PASSWORD: password }), { PASSWORD: typed }).PASSWORD;
}

function accountsOf({ database, storage }: Beside) {
  const organizations = createOrganizationService({ database, storage, clock: systemClock });
  const limits = createRateLimits({ database, factor: 1 });
  const audit = createAuditService({ database, limits, organizations });
  return createAccountService({ audit, database, limits, clock: systemClock });
}

function createAdmin(EMAIL: string, FIRST_NAME: string, LAST_NAME: string): Task {
  const {
    EMAIL: email,
    FIRST_NAME: firstName,
    LAST_NAME: lastName,
  } = checked(PERSON, { EMAIL, FIRST_NAME, LAST_NAME });
  return async (beside) => {
    const password = await askPassword();
    await accountsOf(beside)
      .createUser({ email, firstName, lastName, password, roleId: 2, administers: [], byHand: true })
      .catch((error: { code?: unknown }) => {
        if (error.code !== UNIQUE_VIOLATION) throw error;
        throw new StartError(`${email} has an account already: give the platform admin another email address.`);
      });
    console.log(`${email} is a platform admin now.`);
    return 0;
  };
}

function resetPassword(email: string): Task {
  return async (beside) => {
    const found = await accountsOf(beside).resetPassword(email, await askPassword());
    console.log(
      found
        ? `${email} has a new password; all sessions of theirs have ended.`
        : `No account has the email address ${email}.`,
    );
    return found ? 0 : 1;
  };
}

const listOrganizations: Task = async ({ database, storage }) => {
  const organizations = createOrganizationService({ database, storage, clock: systemClock });
  let page = await organizations.listForSearch();
  for (; page.length > 0; page = await organizations.listForSearch(page.at(-1)))
    for (const one of page) console.log([one.id, one.kind, one.domainName, one.name].join('\t'));
  return 0;
};

/** Null if the words are not those of the usage. @throws StartError for an address or a name that cannot be one */
function taskOf([command, ...words]: readonly string[]): Task | null {
  const [email = '', firstName = '', lastName = ''] = words;
  if (command === 'create-admin' && words.length === 3) return createAdmin(email, firstName, lastName);
  if (command === 'reset-password' && words.length === 1) return resetPassword(email);
  if (command === 'organizations' && words.length === 0) return listOrganizations;
  return null;
}

async function run(task: Task): Promise<number> {
  const beside = await openProductData('admin');
  return task(beside).finally(() => beside.close());
}

try {
  const task = taskOf(process.argv.slice(2));
  if (!task) console.error(USAGE);
  process.exitCode = task ? await run(task) : WRONG_USAGE;
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 1;
}
