import { expect, test } from 'vitest';
import { securityText } from '#src/http/security-txt.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const noon = new Date('2026-11-23T12:00:00Z');
const server = useTestServer({
  clock: { now: () => noon },
  env: { SECURITY_CONTACT: 'https://club.example/security' },
});

test('every host tells people where to report a vulnerability', async () => {
  for (const host of ['localhost', 'www.sideline.localhost:3000']) {
    const answer = await server.call({ method: 'GET', url: '/.well-known/security.txt', headers: { host } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(answer.body.split('\n')).toEqual([
      'Contact: https://club.example/security',
      'Expires: 2027-02-21T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: http://www.sideline.localhost:3000/.well-known/security.txt',
      '',
    ]);
  }
});

test('it never says that it has expired, nor that it is valid for more than a year', () => {
  for (const day of ['2026-01-01T00:00:00Z', '2028-02-29T23:59:59Z']) {
    const now = new Date(day);
    const text = securityText({ contact: 'mailto:a@b.example', address: 'https://b.example', now });
    const days = (Date.parse(/Expires: (.*)/.exec(text)?.[1] ?? '') - now.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(88);
    expect(days).toBeLessThanOrEqual(90);
  }
});
