/** Names and addresses that go: athletes, athlete_families, athlete_cards, watches, and emails about them. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Some whose time has passed: on no team of the current season and those before it, or for years on none that goes on. */
export async function listOutdated(
  db: Reader,
  { seasons, years, limit }: { seasons: number; years: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with kept as (
      select id from (
        select s.id, s.last_day, row_number() over (partition by s.organization_id order by s.first_day desc, s.id desc) as place
          from seasons s where s.first_day <= current_date) s
       where place <= ${seasons + 1} and last_day > current_date - make_interval(years => ${years})
      union all select id from seasons where first_day > current_date)
    select a.id from athletes a
     where a.nameless_at is null and a.merged_into is null
       and not exists (select from entries e join teams t on t.id = e.team_id join kept k on k.id = t.season_id where e.athlete_id = a.id)
       and (a.created_at < now() - make_interval(years => ${years})
            or (a.created_at < now() - interval '60 days' and exists (select from entries e where e.athlete_id = a.id)))
     order by a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Merged ones whose merge can be undone no more. */
export async function listMerged(db: Reader, { days, limit }: { days: number; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from athletes a
     where a.merged_into is not null and a.nameless_at is null
       and not exists (select from athlete_merges m where m.from_id = a.id and m.undone_at is null and m.at > now() - make_interval(days => ${days}))
     order by a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** These, and those who were merged into them. */
export async function withMerged(db: Reader, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from athletes where id = any (${ids}::bigint[]) or merged_into = any (${ids}::bigint[])`.execute(db);
  return rows.map(({ id }) => id);
}

/** Emails to these addresses, and those in whose texts the whole name of one stands: the text goes, the line stays. */
async function clearEmails(tx: Writer, ids: readonly number[]): Promise<void> {
  await sql`
    update mail_outbox set recipient = 'forgotten', reply_to = null, subject = '', html = '', body_text = '', last_error = null,
           sent_at = coalesce(sent_at, now())
     where recipient in (select email from athlete_families where athlete_id = any (${ids}::bigint[])
                         union select email from watches where athlete_id = any (${ids}::bigint[]))`.execute(tx);
}

/** No name, no address, no id of the club's; cards open nothing. Tags, numbers and the consent stay. */
export async function forgetNames(tx: Writer, ids: readonly number[]): Promise<void> {
  await clearEmails(tx, ids);
  await sql`delete from athlete_families where athlete_id = any (${ids}::bigint[])`.execute(tx);
  await sql`delete from watches where athlete_id = any (${ids}::bigint[])`.execute(tx);
  await sql`update athlete_cards set replaced_at = now() where athlete_id = any (${ids}::bigint[]) and replaced_at is null`.execute(
    tx,
  );
  await sql`
    update roster_import_rows set cells = null, messages = '{}'
     where athlete_id = any (${ids}::bigint[]) and cells is not null`.execute(tx);
  await sql`
    update athletes set first_name = null, last_name = null, folded_name = '', external_id = null, nameless_at = now()
     where id = any (${ids}::bigint[]) and nameless_at is null`.execute(tx);
}

/** Addresses that never said yes; returns how many. */
export async function forgetAddresses(tx: Writer, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from athlete_families where state in ('given', 'asked') and at < now() - make_interval(days => ${days})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
