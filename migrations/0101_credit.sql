-- Prepaid credit and gift codes (decision record 0095). Modules: features/credit (all tables here), features/orders (the columns of
-- orders). Amounts are integer cents.

-- An order of credit is charged, recovered, refunded and compared with the provider as any order is. It has no photos and is no sale:
-- reports, statements and counters are of kind 'photos' alone.
alter table orders
  add column kind text not null default 'photos' check (kind in ('photos', 'credit')),
  -- Paid by credit codes; the card is charged the rest of the total.
  add column credit_cents integer not null default 0 check (credit_cents >= 0),
  -- How much less the photos cost by a bonus of credit codes; the subtotal is after it.
  add column bonus_cents integer not null default 0 check (bonus_cents >= 0),
  -- Of what was refunded, the part that went back to codes and not to the card.
  add column credit_returned_cents integer not null default 0 check (credit_returned_cents >= 0);
-- Of a refund, the part that goes back to codes.
alter table payment_attempts add column credit_cents integer not null default 0 check (credit_cents >= 0);

-- Coupons or credit codes of the seller, or credit of its parent, exist: its pages ask for a code. Stays once it is set.
alter table organizations add column takes_codes boolean not null default false;
update organizations o set takes_codes = true where exists (select from coupons c where c.organization_id = o.id);

alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in ('provider_clearing', 'org_payable', 'platform_fee',
  'provider_fee', 'tax_payable', 'payout_in_transit', 'bank', 'refund_clearing', 'dispute_hold', 'platform_revenue', 'credit_liability'));

-- What a seller offers. Without a row nothing is.
create table credit_settings (
  organization_id bigint primary key references organizations,
  active boolean not null,
  amounts_cents integer[] not null check (cardinality(amounts_cents) between 1 and 4),
  -- For each amount, what comes on top of it.
  bonuses_cents integer[] not null check (cardinality(bonuses_cents) = cardinality(amounts_cents)),
  -- In the seller's time zone, included; null: a bonus has no end.
  bonus_until date
);
alter table credit_settings enable row level security;
create policy credit_settings_scope on credit_settings
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- One code for each order of credit, made with it. Before that is paid, and while it is disputed, it opens nothing.
create table credit_codes (
  id bigint generated always as identity primary key,
  -- Who sold it, and whose liability it is.
  organization_id bigint not null references organizations,
  -- A keyed hash of the code, which itself is sealed.
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  code_encrypted bytea not null,
  last4 text not null check (char_length(last4) = 4),
  paid_cents integer not null check (paid_cents > 0),
  bonus_cents integer not null default 0 check (bonus_cents >= 0),
  bonus_until date,
  -- The order that bought it (no foreign key: orders may be divided).
  order_id bigint not null unique,
  -- `custom`: the money is on the seller's own account, and nothing of it is in our books.
  processor text not null check (processor in ('platform', 'custom')),
  voided_at timestamptz,
  created_at timestamptz not null default now()
);
create index credit_codes_of_organization on credit_codes (organization_id, id desc);
alter table credit_codes enable row level security;
create policy credit_codes_scope on credit_codes
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- What a code has is the sum of its movements: money, and beside it the bonus.
create table credit_movements (
  id bigint generated always as identity primary key,
  code_id bigint not null references credit_codes,
  organization_id bigint not null references organizations,
  -- The order that bought the code, that was paid with it, or that gave credit back to it.
  order_id bigint not null,
  kind text not null check (kind in ('sold', 'spent', 'returned', 'refunded', 'paid_out')),
  cents integer not null,
  bonus_cents integer not null default 0,
  at timestamptz not null default now(),
  check (case kind when 'sold' then cents > 0 when 'returned' then cents >= 0 and bonus_cents >= 0 else cents <= 0 and bonus_cents <= 0 end)
);
create index credit_movements_of_code on credit_movements (code_id) include (cents, bonus_cents);
create index credit_movements_of_order on credit_movements (order_id);
alter table credit_movements enable row level security;
create policy credit_movements_scope on credit_movements
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create trigger credit_movements_append_only before update or delete or truncate on credit_movements
  for each statement execute function refuse_change();

-- One after the other, under the lock of the code: neither its money nor its bonus is ever below nothing.
create function check_credit_balance() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  money bigint;
  bonus bigint;
begin
  perform from credit_codes where id = new.code_id for no key update;
  select coalesce(sum(cents), 0) + new.cents, coalesce(sum(bonus_cents), 0) + new.bonus_cents into money, bonus
    from credit_movements where code_id = new.code_id;
  if money < 0 or bonus < 0 then
    raise exception 'credit code % would have % and a bonus of %', new.code_id, money, bonus using errcode = '23514', constraint = 'credit_movements_balance';
  end if;
  return new;
end $$;
create trigger credit_movements_balance before insert on credit_movements for each row execute function check_credit_balance();

-- What an order takes of a code. It is reserved while the order is pending.
create table credit_uses (
  order_id bigint not null,
  code_id bigint not null references credit_codes,
  -- The seller of the order.
  organization_id bigint not null references organizations,
  cents integer not null check (cents >= 0),
  bonus_cents integer not null default 0 check (bonus_cents >= 0),
  state text not null check (state in ('reserved', 'used', 'released')),
  at timestamptz not null default now(),
  primary key (order_id, code_id),
  check (cents + bonus_cents > 0)
);
create index credit_uses_reserved on credit_uses (code_id) include (cents, bonus_cents) where state = 'reserved';
alter table credit_uses enable row level security;
create policy credit_uses_scope on credit_uses
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create function book_credit_use() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into credit_movements (code_id, organization_id, order_id, kind, cents, bonus_cents)
    select c.id, c.organization_id, new.order_id, 'spent', 0 - new.cents, 0 - new.bonus_cents from credit_codes c where c.id = new.code_id;
  return null;
end $$;
create trigger credit_uses_made after insert on credit_uses for each row when (new.state = 'used') execute function book_credit_use();
create trigger credit_uses_decided after update of state on credit_uses
  for each row when (new.state = 'used' and old.state <> 'used') execute function book_credit_use();

-- What becomes of credit goes the way of its order, in the statement that decides it, as uses of coupons do (decision record 0093).
create function decide_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind = 'credit' then
    if new.status = 'paid' then
      insert into credit_movements (code_id, organization_id, order_id, kind, cents, bonus_cents)
        select c.id, c.organization_id, new.id, 'sold', c.paid_cents, c.bonus_cents from credit_codes c where c.order_id = new.id;
    end if;
    return null;
  end if;
  -- In the order of their ids, as everyone locks them.
  perform from credit_codes c where c.id in (select u.code_id from credit_uses u where u.order_id = new.id) order by c.id for no key update;
  update credit_uses set state = case new.status when 'paid' then 'used' else 'released' end, at = now()
   where order_id = new.id and state = 'reserved';
  return null;
end $$;
create trigger orders_credit_decided after update of status on orders
  for each row when (old.status = 'pending' and new.status in ('paid', 'failed') and (new.kind = 'credit' or new.credit_cents > 0 or new.bonus_cents > 0))
  execute function decide_credit();

-- Whom a code is for, where it is a gift. The receiver's name, address and sentence go 30 days after it was opened or returned.
create table credit_gifts (
  code_id bigint primary key references credit_codes,
  organization_id bigint not null references organizations,
  receiver_name text not null check (char_length(receiver_name) <= 100),
  receiver_email citext,
  message text not null check (char_length(message) <= 300),
  -- In the seller's time zone.
  send_on date not null,
  sent_at timestamptz,
  opened_at timestamptz,
  returned_at timestamptz
);
create index credit_gifts_to_send on credit_gifts (send_on) where sent_at is null and receiver_email is not null;
create index credit_gifts_with_address on credit_gifts (sent_at) where receiver_email is not null;
alter table credit_gifts enable row level security;
create policy credit_gifts_scope on credit_gifts
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create function note_codes_taken() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update organizations set takes_codes = true
   where not takes_codes and (id = new.organization_id or (tg_table_name <> 'coupons' and parent_organization_id = new.organization_id));
  return null;
end $$;
create trigger coupons_taken after insert on coupons for each row execute function note_codes_taken();
create trigger credit_settings_taken after insert or update on credit_settings for each row when (new.active) execute function note_codes_taken();
create function note_codes_of_parent() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.takes_codes := new.takes_codes or exists (select from credit_settings s where s.organization_id = new.parent_organization_id);
  return new;
end $$;
create trigger organizations_codes_of_parent before insert on organizations
  for each row when (new.parent_organization_id is not null) execute function note_codes_of_parent();

-- Parts of an order are photos and passes; credit has none.
create or replace function check_order_parts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parts bigint;
begin
  select coalesce((select sum(price_cents) from order_photos where order_id = new.id), 0)
       + coalesce((select sum(price_cents) from passes where order_id = new.id), 0) into parts;
  if parts <> (new.kind = 'photos')::integer * new.subtotal_cents then
    raise exception 'order % says % and its parts %', new.id, new.subtotal_cents, parts using errcode = '23514', constraint = 'orders_parts';
  end if;
  if exists (
    select from passes p left join pass_galleries g on g.pass_id = p.id where p.order_id = new.id
     group by p.id having coalesce(sum(g.price_cents), 0) <> p.price_cents
  ) then
    raise exception 'a pass of order % is not the sum of its galleries', new.id using errcode = '23514', constraint = 'orders_parts';
  end if;
  return null;
end $$;

-- Credit is no order of photos: receivers of webhooks hear of photos alone.
drop trigger orders_webhook_made_paid on orders;
create trigger orders_webhook_made_paid after insert on orders
  for each row when (new.paid_at is not null and new.kind = 'photos') execute function note_order_paid();
drop trigger orders_webhook_paid on orders;
create trigger orders_webhook_paid after update on orders
  for each row when (old.paid_at is null and new.paid_at is not null and new.kind = 'photos') execute function note_order_paid();
drop trigger orders_webhook_refunded on orders;
create trigger orders_webhook_refunded after update on orders
  for each row when (new.refunded_cents > old.refunded_cents and new.kind = 'photos') execute function note_order_refunded();
