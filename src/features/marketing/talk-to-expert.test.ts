import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { QuestionsPage } from '#src/features/marketing/expert-questions.contract.ts';
import { EXPERT_THANKS, expertProblems } from '#src/features/marketing/talk-to-expert.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const ASKED = {
  first_name: 'Noor',
  last_name: 'Haddad',
  email: 'noor@league.test',
  phone_number: '(555) 010-4477',
  company_name: 'Valley League',
  question: 'Can forty clubs share one account?\n\nWe begin in March.',
};

let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});
beforeEach(async () => {
  await server.data.ownerQuery('delete from rate_counters');
  await server.data.ownerQuery('delete from expert_questions');
  await server.data.ownerQuery('delete from mail_outbox');
});

const ask = (user: unknown, headers: Record<string, string> = {}) =>
  server.call({ method: 'POST', url: '/api/v1/talk-to-expert/', payload: { user } as object, headers });
const kept = () => server.data.ownerQuery<Record<string, unknown>>('select * from expert_questions order by id');
const sentEmails = () =>
  server.data.ownerQuery<{ recipient: string; reply_to: string; subject: string; body_text: string; html: string }>(
    'select recipient, reply_to, subject, body_text, html from mail_outbox order by id',
  );

describe('a question for an expert', () => {
  test('is stored and emailed to the operator, with the asker as reply address', async () => {
    const answer = await ask(ASKED, { host: 'lakeside.sideline.localhost' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ message: EXPERT_THANKS });
    expect(await kept()).toEqual([expect.objectContaining({ ...ASKED, organization_id: people.parent.id })]);
    const [sentEmail, ...others] = await sentEmails();
    expect(others).toEqual([]);
    expect(sentEmail).toMatchObject({
      recipient: 'hello@sideline.localhost',
      reply_to: ASKED.email,
      subject: 'A question from Valley League',
    });
    for (const fact of [
      'Noor Haddad',
      ASKED.email,
      ASKED.phone_number,
      'Can forty clubs share one account?',
      'lakeside',
    ])
      expect(sentEmail?.body_text).toContain(fact);
  });

  test('goes to the root organization’s own contact address if it has one', async () => {
    const [root] = await server.data.ownerQuery<{ email: string }>(
      'select contact_email as email from organizations where id = 1',
    );
    const before = await server.app.marketing.contactEmail();
    try {
      await server.data.ownerQuery("update organizations set contact_email = 'team@sideline.test' where id = 1");
      await expect.poll(() => server.app.marketing.contactEmail()).toBe('team@sideline.test');
      await ask(ASKED);
      expect(await sentEmails()).toMatchObject([{ recipient: 'team@sideline.test' }]);
    } finally {
      await server.data.ownerQuery('update organizations set contact_email = $1 where id = 1', [root?.email]);
      await expect.poll(() => server.app.marketing.contactEmail()).toBe(before);
    }
  });

  test('is escaped in the email', async () => {
    await ask({ ...ASKED, company_name: '<img src=x onerror=alert(1)>' });
    expect((await sentEmails())[0]?.html).not.toContain('<img');
  });

  test('is accepted without the trailing slash, too', async () => {
    const answer = await server.call({ method: 'POST', url: '/api/v1/talk-to-expert', payload: { user: ASKED } });
    expect(answer.statusCode).toBe(200);
  });
});

describe('an invalid question', () => {
  test('reports every problem under its field at once', async () => {
    const answer = await ask({
      first_name: ' ',
      last_name: '',
      email: 'nobody',
      phone_number: null,
      company_name: '\u200b',
    });
    expect(answer.statusCode).toBe(422);
    const { errors } = answer.json() as { errors: Record<string, string[]> };
    const said = Object.fromEntries(
      Object.entries(errors).map(([field, messages]) => [field.split('.').at(-1), messages]),
    );
    expect(said).toEqual({
      first_name: ['This field is required'],
      last_name: ['This field is required'],
      email: ['Invalid email address'],
      phone_number: ['This field is required'],
      company_name: ['This field is required'],
      question: ['This field is required'],
    });
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['a header inside the address', { email: 'noor@league.test\r\nBcc: all@league.test' }],
    ['a header inside the name', { first_name: 'Noor\r\nBcc: all@league.test' }],
    ['a header inside the company', { company_name: 'Valley\nBcc: all@league.test' }],
    ['two addresses', { email: 'a@league.test,b@league.test' }],
    ['a novel', { question: 'x'.repeat(4_001) }],
    ['100 kB of question', { question: 'x'.repeat(100_000) }],
    ['a phone number without digits', { phone_number: 'abc' }],
    ['something that was not asked for', { role_id: 2 }],
  ])('because of %s gets 422 and stores nothing', async (_what, change) => {
    expect((await ask({ ...ASKED, ...change })).statusCode).toBe(422);
    expect(await kept()).toEqual([]);
    expect(await sentEmails()).toEqual([]);
  });

  test('without a user names all six fields', async () => {
    const answer = await server.call({ method: 'POST', url: '/api/v1/talk-to-expert/', payload: {} });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json().errors)).toEqual(Object.keys(ASKED));
  });

  test.each([[null], ['text'], [[]], [7]])('because the user is %j is refused', async (user) => {
    expect((await ask(user)).statusCode).toBe(422);
  });
});

describe('many questions', () => {
  test('of one address must wait from the sixth in an hour', async () => {
    for (let count = 1; count <= 5; count += 1) expect((await ask(ASKED)).statusCode).toBe(200);
    const answer = await ask(ASKED);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(1);
    expect((await kept()).length).toBe(5);
  });

  test.each([
    ['of one address', (count: number) => ({ email: `noor${count}@league.test` })],
    ['about one asker', () => ({})],
  ])('are stored and acknowledged, but the eleventh email of a day %s is not written', async (_whose, change) => {
    for (let count = 1; count <= 11; count += 1) {
      // Hours pass; the day does not.
      await server.data.ownerQuery("delete from rate_counters where bucket like 'expert:ip:%'");
      const answer = await ask({ ...ASKED, ...change(count) });
      expect(answer.json()).toEqual({ message: EXPERT_THANKS });
    }
    expect((await kept()).length).toBe(11);
    expect((await sentEmails()).length).toBe(10);
  });
});

describe('the questions', () => {
  test('are read by platform admins only, newest first', async () => {
    await ask(ASKED);
    await ask({ ...ASKED, company_name: 'Second League' });
    const read = (as?: string, query = '') =>
      server.call({ method: 'GET', url: `/api/v1/expert_questions${query}`, ...(as ? { as } : {}) });
    const { questions, next } = (await read(people.tokens.admin)).json<QuestionsPage>();
    expect(questions).toMatchObject([
      { ...ASKED, company_name: 'Second League', site: 'Sideline' },
      { ...ASKED, company_name: 'Valley League', site: 'Sideline' },
    ]);
    expect(next).toBeNull();
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.foreigner])
      expect((await read(token)).statusCode).toBe(403);
    expect((await read()).statusCode).toBe(401);
  });

  test('come twenty at a time', async () => {
    await ask(ASKED);
    await server.data.ownerQuery(
      `insert into expert_questions (organization_id, first_name, last_name, email, phone_number, company_name, question)
       select organization_id, first_name, last_name, email, phone_number, 'Copy ' || n, question
         from expert_questions, generate_series(1, 20) as n`,
    );
    const read = async (query = '') =>
      (
        await server.call({ method: 'GET', url: `/api/v1/expert_questions${query}`, as: people.tokens.admin })
      ).json<QuestionsPage>();
    const first = await read();
    const second = await read(`?after=${first.next}`);
    expect(first.questions.map(({ company_name }) => company_name)).toEqual(
      Array.from({ length: 20 }, (_, at) => `Copy ${20 - at}`),
    );
    expect(second).toMatchObject({ questions: [{ company_name: ASKED.company_name }], next: null });
  });
});

describe('the form', () => {
  test.each([
    [{}, {}],
    [{ email: 'noor' }, { email: ['Invalid email address'] }],
    [{ email: '' }, { email: ['This field is required'] }],
    [{ phone_number: 'abc' }, { phone_number: ['Invalid phone number'] }],
    [{ phone_number: '+44 (0)20 7946 0018 ext. 12' }, {}],
    [{ phone_number: '5550104477' }, {}],
    [{ question: '\u2060 ' }, { question: ['This field is required'] }],
  ])('with %j says %j', (change, problems) => {
    expect(expertProblems({ ...ASKED, ...change })).toEqual(problems);
  });
});
