/** How often one sender may learn that a name is taken (threat 28), with the real limits. */
import { expect, test } from 'vitest';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

function signUp(email: string, remoteAddress: string) {
  const path = email.replace(/@.*/, '');
  return server.call({
    method: 'POST',
    url: '/signup/',
    remoteAddress,
    payload: {
      user: { first_name: 'Ada', last_name: 'Park', email, password: 'nine fine pines' },
      affiliateInfo: { affiliateOrg: path, domain_name: path },
      org: { id: 1 },
      freeTier: true,
      agreeToTerms: true,
      confirmAgeAndPlace: true,
    },
  });
}

test('after twenty taken names a sender must wait, and others do not', async () => {
  expect((await signUp('ada@families.test', '203.0.113.1')).statusCode).toBe(200);
  for (let count = 0; count < 20; count++)
    expect((await signUp('ada@families.test', '203.0.113.1')).statusCode).toBe(422);
  const refused = await signUp('ada@families.test', '203.0.113.1');
  expect(refused.statusCode).toBe(429);
  expect(refused.json().error).toMatch(/^Too many attempts\. Try again in \d+ seconds\.$/);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await signUp('bo@families.test', '203.0.113.2')).statusCode).toBe(200);
});

test('one sender opens at most thirty accounts a minute', async () => {
  const answers = await Promise.all(
    Array.from({ length: 34 }, (_, count) => signUp(`club${count}@families.test`, '203.0.113.3')),
  );
  const statuses = answers.map((answer) => answer.statusCode);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
