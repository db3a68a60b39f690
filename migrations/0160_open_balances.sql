-- What is open in the books between us and organizations: what we owe for each order (`org_payable`), and our share of sales over their
-- own card accounts (`provider_clearing` of an organization). Payouts and debts read these rows and not every entry ever (decision record
-- 0119). Entries are only ever added, so a row is the sum of its entries at any time; whoever posts for an order waits for others who
-- post for the same one alone. Module: features/ledger.
create table open_balances (
  account_id bigint not null,
  -- 0: of no order. A settlement makes one such row of all of its `provider_clearing`.
  order_id bigint not null,
  -- Signed as entries: + debit, - credit. What comes to nothing has no row.
  amount_cents bigint not null
);
alter table open_balances enable row level security;
create policy open_balances_scope on open_balances using ((select app_is_system()));

create function keep_open_balances() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closes boolean;
  settles boolean;
begin
  -- In one order, because each waits for those who are just posting for the same orders.
  with put as (
    insert into open_balances as kept (account_id, order_id, amount_cents)
      select e.account_id, coalesce(e.order_id, 0), sum(e.amount_cents)
        from added e join ledger_accounts a on a.id = e.account_id
       where a.organization_id is not null and a.kind in ('org_payable', 'provider_clearing')
       group by 1, 2 order by 1, 2
      on conflict (account_id, order_id) do update set amount_cents = kept.amount_cents + excluded.amount_cents
    returning order_id, amount_cents
  )
  select bool_or(amount_cents = 0), bool_or(order_id = 0) into closes, settles from put;
  if closes then
    delete from open_balances kept using added e
     where kept.account_id = e.account_id and kept.order_id = coalesce(e.order_id, 0) and kept.amount_cents = 0;
  end if;
  if settles then
    with settled as (
      delete from open_balances kept using ledger_accounts a
       where a.id = kept.account_id and a.kind = 'provider_clearing'
         and kept.account_id in (select account_id from added where order_id is null)
      returning kept.account_id, kept.amount_cents
    )
    insert into open_balances (account_id, order_id, amount_cents)
    select account_id, 0, sum(amount_cents) from settled group by account_id having sum(amount_cents) <> 0;
  end if;
  return null;
end $$;
create trigger ledger_entries_open_balances after insert on ledger_entries
  referencing new table as added for each statement execute function keep_open_balances();

-- Nobody posts while this runs, because making the trigger locks the entries until it is done: some seconds for a million orders. Each
-- account along its index of balances; rows first and then their index.
insert into open_balances (account_id, order_id, amount_cents)
select a.id, e.order_id, e.amount_cents
  from ledger_accounts a cross join lateral (
    select case when a.kind = 'org_payable' then coalesce(order_id, 0) else 0 end as order_id, sum(amount_cents) as amount_cents
      from ledger_entries where account_id = a.id group by 1 having sum(amount_cents) <> 0) e
 where a.organization_id is not null and a.kind in ('org_payable', 'provider_clearing');
alter table open_balances add primary key (account_id, order_id);
analyze open_balances;
