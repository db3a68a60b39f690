-- What was sold, summed by seller and day, so that the platform's report reads days and not every order (decision record 0065).
-- Each change of a sold order adds a note in its own transaction and locks nothing; whoever reads the sums first makes the noted
-- days anew from their orders. Lines are written with their order and never changed, so they need no notes.
-- Module: features/reports (kept-sales).
create table sales_days (
  organization_id bigint not null references organizations,
  -- In the seller's own time zone.
  day date not null,
  -- Whether these are the orders that a platform admin marked as reconciled, or the others.
  reconciled boolean not null,
  -- All of them, and those that were not refunded whole.
  sold_count integer not null,
  order_count integer not null,
  photo_count integer not null,
  sales_cents bigint not null,
  donations_cents bigint not null,
  tax_cents bigint not null,
  refunds_cents bigint not null,
  fees_cents bigint not null,
  share_cents bigint not null,
  disputed_cents bigint not null,
  -- Before anything was refunded.
  charged_subtotal_cents bigint not null,
  charged_donation_cents bigint not null,
  charged_tax_cents bigint not null,
  primary key (organization_id, day, reconciled)
);
alter table sales_days enable row level security;
create policy sales_days_scope on sales_days
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create table sales_changes (
  organization_id bigint not null,
  -- When the changed order was paid: on which day that was, the seller's time zone tells when the note is read. 'infinity': every day.
  paid_at timestamptz not null,
  id bigint generated always as identity,
  primary key (organization_id, paid_at, id)
);
alter table sales_changes enable row level security;
create policy sales_changes_scope on sales_changes using ((select app_is_system()));

create function note_sale() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.paid_at is not null then
    insert into sales_changes (organization_id, paid_at) values (old.organization_id, old.paid_at);
  end if;
  if new.paid_at is not null and (new.organization_id, new.paid_at) is distinct from (old.organization_id, old.paid_at) then
    insert into sales_changes (organization_id, paid_at) values (new.organization_id, new.paid_at);
  end if;
  return null;
end $$;
create trigger orders_sale_added after insert on orders
  for each row when (new.paid_at is not null) execute function note_sale();
create trigger orders_sale_changed after update on orders
  for each row when (old.paid_at is not null or new.paid_at is not null) execute function note_sale();
create trigger orders_sale_removed after delete on orders
  for each row when (old.paid_at is not null) execute function note_sale();

create function note_sale_of_charge() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into sales_changes (organization_id, paid_at)
    select o.organization_id, o.paid_at from orders o where o.id = new.order_id and o.paid_at is not null;
  return null;
end $$;
-- A charge succeeds in the statement that marks its order as paid.
create trigger payment_attempts_sale_changed after update on payment_attempts
  for each row when (new.kind = 'charge' and old.state = 'succeeded' and (old.state, old.fee_cents) is distinct from (new.state, new.fee_cents))
  execute function note_sale_of_charge();

create function note_sale_of_posting() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into sales_changes (organization_id, paid_at)
    select distinct o.organization_id, o.paid_at
      from ledger_entries e join orders o on o.id = e.order_id
     where e.tx_id = new.id and o.paid_at is not null;
  return null;
end $$;
-- A posting is written in one statement with its entries; a sale in the transaction in which its order is paid. Payouts move what is
-- owed, and no sum of a report.
create trigger ledger_txs_sale_changed after insert on ledger_txs
  for each row when (new.source_type in ('order', 'refund', 'dispute') and new.kind not in ('sale', 'own_account_sale'))
  execute function note_sale_of_posting();

create function note_sales_of_time_zone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into sales_changes (organization_id, paid_at) values (new.id, 'infinity');
  return null;
end $$;
create trigger organizations_sale_days after update of time_zone on organizations
  for each row when (old.time_zone is distinct from new.time_zone) execute function note_sales_of_time_zone();

-- What was sold before is summed by the worker as it starts.
insert into sales_changes (organization_id, paid_at)
  select distinct organization_id, 'infinity'::timestamptz from orders where paid_at is not null;
