/**
 * Every place where a person's data may be, one statement each. This is the only module that changes the tables of
 * others, so that one file shows whether an erasure is complete. A new column for addresses or names needs a step here;
 * `erasures.test.ts` searches the whole database for what should be gone.
 */
import { sql, type RawBuilder } from 'kysely';
import { FILE_NAME_ERASED } from '#src/features/erasures/erasures.contract.ts';
import type { KeptRows } from '#src/features/erasures/erasures.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** `userId`: of the account with this address; null for a buyer without one. */
export type Person = { email: string; userId: number | null; names: readonly string[] };

type Step = { what: string; change: (person: Person) => RawBuilder<unknown> };

export const DELETION_REQUEST = 'Request to delete the account';
const ERASED_ADDRESS = sql.raw(`'erased-' || id || '@erased.invalid'`);
const literal = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
const id = (person: Person) => person.userId ?? 0;

/** Matches the whole address, and the full names as whole words, in texts about this person (migration `0080_erasure_of_one_person.sql`). */
const pattern = ({ email, names }: Person) => sql`person_pattern(${email}, ${[...names]}::text[])`;

/** A column's text without the address and the full names, ignoring case. */
const without = (column: string, person: Person): RawBuilder<string> =>
  sql<string>`regexp_replace(${sql.raw(column)}, ${pattern(person)}, 'erased', 'gi')`;

/**
 * Whether a text is about this person: it contains the whole address. A name alone is not enough: others may have it,
 * and anyone could choose a name that is in everyone's texts.
 */
const mentions = (column: string, { email }: Person): RawBuilder<boolean> =>
  sql<boolean>`(${sql.raw(column)} ilike ${literal(email)} and ${sql.raw(column)} ~* whole_address(${email}))`;

/** In this order: rows that lead to others are read before they are erased. */
const STEPS: readonly Step[] = [
  {
    what: 'Copies of organizations’ data that can be downloaded (ended)',
    change: (person) => sql`
      update exports set expires_at = case when state = 'ready' then now() end,
             -- One that is being made may have read the person already, and is restarted.
             state = case when state = 'making' then 'waiting' else state end
       where state in ('waiting', 'making', 'ready') and organization_id in (
        select organization_id from orders where email_address = ${person.email}
        union select organization_id from gallery_contributors where email = ${person.email}
        union select organization_id from gallery_invites where email = ${person.email}
        union select organization_id from memberships where user_id = ${id(person)}
        union select organization_id from audit_log where actor_id = ${id(person)} or details ->> 'user_id' = ${String(id(person))}
        union select organization_id from imported_records where ${mentions('facts::text', person)})`,
  },
  {
    what: 'Likes of a contributor’s browser',
    change: ({ email }) => sql`
      delete from photo_likes where visitor_id::text in (select visitor_id::text from gallery_contributors where email = ${email})`,
  },
  {
    what: 'Votes of a contributor’s browser',
    change: ({ email }) => sql`
      delete from photo_votes where visitor_id::text in (select visitor_id::text from gallery_contributors where email = ${email})`,
  },
  {
    what: 'Name, address and links of a contributor',
    change: ({ email }) => sql`
      update gallery_contributors set name = 'Erased', email = ${ERASED_ADDRESS}, site = null, instagram = null, visitor_id = null
       where email = ${email}`,
  },
  {
    what: 'Invitations to bring photos',
    change: ({ email }) => sql`
      update gallery_invites set email = ${ERASED_ADDRESS}, revoked_at = coalesce(revoked_at, now()) where email = ${email}`,
  },
  {
    what: 'Emails about new photos (ended)',
    change: ({ email }) => sql`delete from watches where email = ${email}`,
  },
  {
    what: 'Gifts of credit to this address (one that was not sent yet stays with its giver)',
    change: ({ email }) => sql`
      update credit_gifts set receiver_name = 'Erased', receiver_email = null, message = '' where receiver_email = ${email}`,
  },
  {
    what: 'Sentences with gifts of credit that name the person',
    change: (person) => sql`
      update credit_gifts g set message = ${without('message', person)}
       where (${mentions('message', person)}
          or exists (select from credit_codes c join orders o on o.id = c.order_id where c.id = g.code_id and o.email_address = ${person.email}))
         and message ~* ${pattern(person)}`,
  },
  {
    what: 'Notes of refund requests that name the person',
    change: (person) => sql`
      update refund_requests set note = ${without('note', person)}, reason = ${without('reason', person)}
       where (${mentions("note || ' ' || reason", person)} or order_id in (select id from orders where email_address = ${person.email}))
         and note || ' ' || reason ~* ${pattern(person)}`,
  },
  {
    what: 'Notes of reconciliation that name the person',
    change: (person) => sql`
      update reconciliation_differences set note = ${without('note', person)}
       where (${mentions('note', person)} or order_id in (select id from orders where email_address = ${person.email}))
         and note ~* ${pattern(person)}`,
  },
  {
    // Before the orders, which are found by these addresses: what the family bought stays its own.
    what: 'Addresses of families on rosters',
    change: ({ email }) => sql`
      delete from athlete_families where email = ${email} and case when source = 'import' or state = 'yes' then keep_orders_of_family(athlete_id, email, organization_id) else 0 end is not null`,
  },
  {
    what: 'Name, address and card digits on orders',
    change: ({ email }) => sql`
      update orders set first_name = 'Erased', last_name = 'buyer', email_address = ${ERASED_ADDRESS}, card_brand = null, card_last4 = null,
             decline_message = null, content_hash = sha256(gen_random_uuid()::text::bytea) where email_address = ${email}`,
  },
  {
    what: 'Orders that came from another installation',
    change: (person) => sql`
      update imported_records set facts = erased_json(facts, ${pattern(person)}) ||
             case when facts ? 'last_name' then '{"first_name": "Erased", "last_name": "buyer"}'::jsonb else '{}' end
       where ${mentions('facts::text', person)}`,
  },
  {
    what: 'Name, address and card digits on payments for an account',
    change: ({ email }) => sql`
      update account_payments set payer_name = 'Erased', payer_email = ${ERASED_ADDRESS}, card_brand = null, card_last4 = null,
             card_exp_month = null, card_exp_year = null, saved_card = null where payer_email = ${email}`,
  },
  {
    what: 'Name, address and card digits on plans that do not renew',
    change: ({ email }) => sql`
      update subscriptions set payer_name = 'Erased', payer_email = ${ERASED_ADDRESS}, card_brand = null, card_last4 = null,
             card_exp_month = null, card_exp_year = null, saved_card = null where payer_email = ${email}
               and (status = 'ended' or stopped_at is not null)`,
  },
  {
    what: 'Saved cards of the test card provider',
    change: ({ email }) => sql`
      update sandbox_provider.saved_cards set name = 'Erased', email = ${ERASED_ADDRESS} where email = ${email}`,
  },
  {
    what: 'Emails to this address (their text)',
    change: ({ email }) => sql`
      update mail_outbox set recipient = 'forgotten', reply_to = null, subject = '', html = '', body_text = '', last_error = null,
             sent_at = coalesce(sent_at, now()) where recipient = ${email}`,
  },
  {
    what: 'Mentions in emails to others',
    change: (person) => sql`
      update mail_outbox set subject = ${without('subject', person)}, html = ${without('html', person)}, body_text = ${without('body_text', person)},
             last_error = ${without('last_error', person)}, reply_to = case when reply_to = ${person.email} then null else reply_to end
       where reply_to = ${person.email} or ${mentions("subject || ' ' || html || ' ' || body_text || ' ' || coalesce(last_error, '')", person)}`,
  },
  {
    what: 'Address in the keys of emails',
    change: (person) => sql`
      update mail_outbox set dedupe_key = regexp_replace(${without('dedupe_key', { ...person, names: [] })}, '$', ':' || id)
       where ${mentions('dedupe_key', person)}`,
  },
  {
    what: 'Requests to hide a photo: contact and reason',
    change: ({ email }) => sql`
      update takedowns set contact = case when state = 'open' then ${ERASED_ADDRESS} end, reason = case when state = 'open' then 'Erased.' end,
             asker = case when state = 'open' then asker end, forgotten_at = case when state = 'open' then forgotten_at else now() end
       where contact = ${email}`,
  },
  {
    what: 'Questions to the operator',
    change: ({ email }) => sql`delete from expert_questions where email = ${email}`,
  },
  {
    // Before the rows, by which a file of this person is found. Its name may be the person's in any spelling.
    what: 'Names of imported files with the person',
    change: (person) => sql`
      update bulk_imports i set file_name = ${FILE_NAME_ERASED}
       where file_name <> ${FILE_NAME_ERASED}
         and (${mentions(`regexp_replace(file_name, '[.]csv$', '', 'i')`, person)} or started_by = ${id(person)} and file_name ~* ${pattern(person)}
          or exists (select from bulk_import_rows r where r.import_id = i.id
                       and (r.made_user_id = ${id(person)} or ${mentions("r.cells::text || ' '", person)} or ${mentions("array_to_string(r.messages, ' ')", person)})))`,
  },
  {
    what: 'Rows of imported files',
    change: (person) => sql`
      update bulk_import_rows set cells = null, messages = '{}', password_sealed = null
       where ${mentions("cells::text || ' '", person)} or ${mentions("array_to_string(messages, ' ')", person)}`,
  },
  {
    what: 'Rows of imported rosters',
    change: (person) => sql`
      update roster_import_rows set cells = null, messages = '{}', plan = null, result = coalesce(result, 'failed')
       where ${mentions("cells::text || ' '", person)} or ${mentions("array_to_string(messages, ' ')", person)}`,
  },
  {
    what: 'Contact of an organization',
    change: ({ email }) => sql`
      update organizations set contact_email = null, contact_name = null where contact_email = ${email}`,
  },
  {
    what: 'Billing contact of an organization',
    change: ({ email }) => sql`
      update organization_private set billing_email = null, billing_name = null, billing_phone_number = null where billing_email = ${email}`,
  },
  {
    what: 'Sessions',
    change: (person) => sql`delete from sessions where user_id = ${id(person)}`,
  },
  {
    what: 'Links to choose a new password',
    change: (person) => sql`delete from password_resets where user_id = ${id(person)}`,
  },
  {
    what: 'Invitations to an organization',
    change: (person) => sql`delete from membership_invitations where user_id = ${id(person)}`,
  },
  {
    what: DELETION_REQUEST,
    change: (person) => sql`delete from deletion_requests where user_id = ${id(person)}`,
  },
  {
    what: 'API tokens that the person made (revoked)',
    change: (person) => sql`
      update api_tokens set revoked_at = now() where made_by = ${id(person)} and revoked_at is null`,
  },
  {
    what: 'Access to organizations',
    change: (person) => sql`delete from memberships where user_id = ${id(person)}`,
  },
  {
    what: 'Account: name, address and password',
    change: (person) => sql`
      update users set first_name = 'Erased', last_name = 'person', email = ${ERASED_ADDRESS}, password_hash = null, email_proven_at = null,
             role_id = 1, deleted_at = coalesce(deleted_at, now()) where id = ${id(person)}`,
  },
  {
    what: 'Counters of limits',
    change: (person) => sql`delete from rate_counters where ${mentions('bucket', person)}`,
  },
  {
    what: 'Jobs that are done or wait',
    change: (person) => sql`delete from pgboss.job where ${mentions('data::text', person)} and state <> 'active'`,
  },
];

/** The person with this address: the account, and the full names under which the address is known. */
export async function findPerson(db: Reader, email: string): Promise<Person> {
  const { rows } = await sql<{ userId: number | null; name: string | null }>`
    select u.id as "userId", u.first_name || ' ' || u.last_name as name from users u where u.email = ${email}
    union select null, first_name || ' ' || last_name from orders where email_address = ${email}
    union select null, payer_name from account_payments where payer_email = ${email}
    union select null, name from gallery_contributors where email = ${email}`.execute(db);
  // Single words are skipped: others have that name, too.
  const names = rows.map(({ name }) => name?.trim() ?? '').filter((name) => /\S\s+\S/.test(name));
  return { email, userId: rows.find(({ userId }) => userId !== null)?.userId ?? null, names: [...new Set(names)] };
}

/** Erases; returns how many rows of each place were changed. Slow, and rare. */
export async function erase(tx: Writer, person: Person): Promise<{ what: string; rows: number }[]> {
  await sql`set local statement_timeout = '120s'`.execute(tx);
  // A password link that is requested meanwhile waits, and then finds no account (`putReset`).
  await sql`select from users where id = ${id(person)} for no key update`.execute(tx);
  const done: { what: string; rows: number }[] = [];
  for (const { what, change } of STEPS) {
    const { numAffectedRows } = await change(person).execute(tx);
    done.push({ what, rows: Number(numAffectedRows ?? 0n) });
  }
  for (const address of [person.email, ...(await formerAddresses(tx, person))])
    await sql`select erase_person_in_audit_log(${id(person)}, ${address}, ${[...person.names]}::text[])`.execute(tx);
  // A line may have several addresses, and is changed for each: counted is what this transaction has written.
  const { rows } = await sql<{ changed: number }>`
    select count(*)::int as changed from audit_log where xmin = pg_current_xact_id()::xid`.execute(tx);
  return [...done, { what: 'Lines of the audit log: mentions and network addresses', rows: rows[0]?.changed ?? 0 }];
}

/** Earlier addresses of the account, which only the log has; not one that is another account's by now. */
export async function formerAddresses(db: Reader, person: Person): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct details ->> 'from' as address from audit_log
     where action = 'account.email_changed' and object_type = 'user' and object_id = ${String(id(person))} and details ->> 'from' like '%@%'
       and not exists (select from users where email = (details ->> 'from')::citext)`.execute(db);
  return rows.map(({ address }) => address);
}

/** The present addresses of other accounts that had this address. */
export async function accountsBefore(db: Reader, person: Person): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from users
     where deleted_at is null and id <> ${id(person)}
       and id::text in (select object_id from audit_log
                         where action = 'account.email_changed' and object_type = 'user' and lower(details ->> 'from') = lower(${person.email}))
     order by email`.execute(db);
  return rows.map(({ email }) => email);
}

/** What forbids an erasure; `reasonsAgainst` says it in sentences. */
export type Obstacles = { soleAdminOf: string[]; paysFor: string[]; pendingOrders: number };

export async function findObstacles(db: Reader, person: Person): Promise<Obstacles> {
  const { rows } = await sql<Obstacles>`
    select array(select o.name from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
                  where m.user_id = ${id(person)} and m.role = 2
                    and not exists (select from memberships other join users u on u.id = other.user_id and u.deleted_at is null
                                     where other.organization_id = m.organization_id and other.role = 2 and other.user_id <> m.user_id)
                  order by o.name) as "soleAdminOf",
           array(select o.name from subscriptions s join organizations o on o.id = s.organization_id
                  where s.payer_email = ${person.email} and s.status <> 'ended' and s.stopped_at is null order by o.name) as "paysFor",
           (select count(*)::int from orders where email_address = ${person.email} and status = 'pending') as "pendingOrders"`.execute(
    db,
  );
  return rows[0] ?? { soleAdminOf: [], paysFor: [], pendingOrders: 0 };
}

/** What stays of a person, counted before the erasure. */
export async function countKept(db: Reader, person: Person): Promise<KeptRows> {
  const { rows } = await sql<KeptRows>`
    select (select count(*)::int from orders where email_address = ${person.email}) as orders,
           (select count(distinct e.tx_id)::int from ledger_entries e join orders o on o.id = e.order_id where o.email_address = ${person.email}) as postings,
           (select count(*)::int from photos p join gallery_contributors c on c.id = p.gallery_contributor_id where c.email = ${person.email} and p.removed_at is null) as photos,
           (select count(*)::int from audit_log where actor_id = ${id(person)}) as actions`.execute(db);
  return rows[0] ?? { orders: 0, postings: 0, photos: 0, actions: 0 };
}
