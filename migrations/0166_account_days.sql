-- What stood in each account of an organization at the end of each day (UTC) on which it moved, of all that was posted before: statements
-- begin from there and read the entries of their own days alone (decision record 0120). Made by a nightly job. Who posts later into a
-- day that is summed adds it to the sums. Module: features/ledger.
create table account_days (
  account_id bigint not null,
  organization_id bigint not null,
  -- The day's end: all that was posted before it is in the sums.
  until timestamptz not null,
  -- Signed as entries: + debit, - credit.
  balance_cents bigint not null,
  -- The part of payouts and settlements.
  paid_out_cents bigint not null,
  -- Of the account: no posting before `until` has a higher id than the first, and none since has one that is not above the second.
  upto_tx bigint not null,
  after_tx bigint not null,
  primary key (account_id, until)
);
alter table account_days enable row level security;
create policy account_days_scope on account_days
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Entries of an account by posting; sums of an order are kept in `open_balances`.
create index ledger_entries_of_account on ledger_entries (account_id, tx_id) include (amount_cents);

create function is_payout(kind text) returns boolean language sql immutable
  return kind like 'payout\_%' or kind = 'settlement';

-- Sums the days of an account that are over and have no sums. The caller has locked the account against whoever is posting to it:
-- `for update`, which a posting's foreign key waits for.
create function sum_account_days(account bigint, over_by timestamptz) returns void language sql as $$
  with last as (
    select * from account_days d where d.account_id = account order by d.until desc limit 1
  ), later as (
    select (date_trunc('day', t.posted_at at time zone 'UTC') + interval '1 day') at time zone 'UTC' as until, e.tx_id, e.amount_cents, t.kind
      from ledger_entries e cross join lateral (select posted_at, kind from ledger_txs where id = e.tx_id offset 0) t
     where e.account_id = account and e.tx_id > coalesce((select l.after_tx from last l), 0)
       and t.posted_at >= coalesce((select l.until from last l), '-infinity')
  ), days as (
    select until, sum(amount_cents) as cents, coalesce(sum(amount_cents) filter (where is_payout(kind)), 0) as paid_out,
           min(tx_id) as first_tx, max(tx_id) as last_tx
      from later group by until
  ), run as (
    select d.until, sum(d.cents) over upwards as cents, sum(d.paid_out) over upwards as paid_out, max(d.last_tx) over upwards as upto_tx,
           coalesce(min(d.first_tx) over (order by d.until rows between 1 following and unbounded following) - 1, max(d.last_tx) over ()) as after_tx
      from days d window upwards as (order by d.until)
  )
  insert into account_days (account_id, organization_id, until, balance_cents, paid_out_cents, upto_tx, after_tx)
  select a.id, a.organization_id, r.until, coalesce(l.balance_cents, 0) + r.cents, coalesce(l.paid_out_cents, 0) + r.paid_out,
         greatest(l.upto_tx, r.upto_tx), r.after_tx
    from run r join ledger_accounts a on a.id = account left join last l on true
   where r.until <= over_by;
$$;

create function keep_account_days() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Asked entry by entry, whatever the planner takes their number for: nearly always no.
  if exists (
    select from added e cross join lateral (
      select d.until, d.after_tx from account_days d where d.account_id = e.account_id order by d.until desc limit 1
    ) last
     where last.after_tx >= e.tx_id or last.until > (select t.posted_at from ledger_txs t where t.id = e.tx_id)
  ) then
    update account_days kept
       set balance_cents = kept.balance_cents + late.cents, paid_out_cents = kept.paid_out_cents + late.paid_out,
           upto_tx = greatest(kept.upto_tx, late.last_tx), after_tx = least(kept.after_tx, late.first_tx - 1)
      from (
        select d.account_id, d.until, coalesce(sum(e.amount_cents) filter (where t.posted_at < d.until), 0) as cents,
               coalesce(sum(e.amount_cents) filter (where t.posted_at < d.until and is_payout(t.kind)), 0) as paid_out,
               max(e.tx_id) filter (where t.posted_at < d.until) as last_tx, min(e.tx_id) filter (where t.posted_at >= d.until) as first_tx
          from added e join ledger_txs t on t.id = e.tx_id
          join account_days d on d.account_id = e.account_id and (d.until > t.posted_at or d.after_tx >= e.tx_id)
         group by d.account_id, d.until order by 1, 2
      ) late
     where kept.account_id = late.account_id and kept.until = late.until;
  end if;
  return null;
end $$;
create trigger ledger_entries_account_days after insert on ledger_entries
  referencing new table as added for each statement execute function keep_account_days();

-- Nobody posts while this runs, because making the trigger locks the entries until it is done.
select sum_account_days(id, date_trunc('day', now() at time zone 'UTC') at time zone 'UTC') from ledger_accounts where organization_id is not null;
analyze account_days;
