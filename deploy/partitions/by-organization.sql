-- Divides the tables of photos, orders, charges and postings into parts by hash (decision record 0082). Not a migration: an operator
-- runs it once, as the owner of the tables, with the product stopped and a backup made:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -c 'set sideline.parts = 16' -f deploy/partitions/by-organization.sql
-- Each step is a transaction, so that the disk needs room for the rows of the largest table once more and not for the whole
-- database. After a failure run it again: it goes on where it stopped.
-- Definitions (columns, checks, indexes, triggers, policies, rights) are read from the catalog, so they are those of the installed
-- version. What changes: a unique key gets the partition key as its last column; what must stay unique over all parts, and what
-- foreign keys point to, stands in a directory of its own, which triggers keep.
set lock_timeout = '10s';
set client_min_messages = warning;

create schema if not exists parts;
-- What is still to be made for a table whose rows are divided, in the order of `place`.
create table if not exists parts.left_to_make (
  place bigint generated always as identity primary key,
  whole text not null,
  statement text not null
);
alter table parts.left_to_make enable row level security;

-- Every photo, order, charge and posting once. The app's role sees none of them: no policy lets it, and triggers write as their owner.
create table if not exists photo_ids (
  id bigint primary key,
  organization_id bigint not null
);
create table if not exists order_ids (
  id bigint primary key,
  organization_id bigint not null,
  vanity_id text not null unique,
  checkout_key text not null unique
);
create table if not exists charge_ids (
  id bigint primary key,
  organization_id bigint not null,
  provider_ref text unique
);
create table if not exists posting_sources (
  kind text not null,
  source_type text not null,
  source_id text not null,
  tx_id bigint not null,
  primary key (kind, source_type, source_id)
);
alter table photo_ids enable row level security;
alter table order_ids enable row level security;
alter table charge_ids enable row level security;
alter table posting_sources enable row level security;

-- In order, because an index grows faster so.
insert into photo_ids select id, organization_id from photos order by id on conflict do nothing;
insert into order_ids select id, organization_id, vanity_id, checkout_key from orders on conflict do nothing;
insert into charge_ids select id, organization_id, provider_ref from payment_attempts on conflict do nothing;
insert into posting_sources select kind, source_type, source_id, id from ledger_txs order by 1, 2, 3 on conflict do nothing;

create or replace function enter_photo_id() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into photo_ids values (new.id, new.organization_id);
  return new;
end $$;
-- Where the checkout key is taken, or just being taken, no order is written and none is an error: what `on conflict do nothing` says.
create or replace function enter_order_id() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_ids values (new.id, new.organization_id, new.vanity_id, new.checkout_key) on conflict (checkout_key) do nothing;
  return case when found then new end;
end $$;
create or replace function enter_charge_id() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into charge_ids values (new.id, new.organization_id, new.provider_ref);
  elsif new.provider_ref is distinct from old.provider_ref then
    update charge_ids set provider_ref = new.provider_ref where id = new.id;
  end if;
  return new;
end $$;
create or replace function enter_posting_source() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into posting_sources values (new.kind, new.source_type, new.source_id, new.id);
  return new;
end $$;
create or replace function leave_directory() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('delete from %I where id = $1', tg_argv[0]) using old.id;
  return null;
end $$;

-- First step: notes what the table has and takes its indexes, and the foreign keys to it, away.
-- `directory`: what foreign keys to the table point to from now on; null where its own `id` stays unique.
create or replace procedure parts.note_and_strip(whole text, key text, directory text) language plpgsql as $$
declare
  source oid := whole::regclass;
  one record;
begin
  if (select relkind from pg_class where oid = source) = 'p' or exists (select from parts.left_to_make l where l.whole = note_and_strip.whole) then
    return;
  end if;
  insert into parts.left_to_make (whole, statement)
  select note_and_strip.whole, statement from (
    select 1 as step,
           case when i.indisprimary then format('alter table %I add primary key (%s)', whole, keys.names)
                when i.indisunique then regexp_replace(pg_get_indexdef(i.indexrelid), 'USING btree \(([^()]*)\)', 'USING btree (' || keys.names || ')')
                else pg_get_indexdef(i.indexrelid) end as statement
      from pg_index i cross join lateral (
        select string_agg(quote_ident(attname), ', ' order by place) || case when bool_or(attname = key) then '' else ', ' || quote_ident(key) end as names
          from unnest(i.indkey::smallint[]) with ordinality as part (attnum, place)
          join pg_attribute a on a.attrelid = source and a.attnum = part.attnum) keys
     where i.indrelid = source
    union all
    select 2, format('create policy %I on %I as %s for %s%s%s', polname, whole, case when polpermissive then 'permissive' else 'restrictive' end,
             case polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
             ' using (' || pg_get_expr(polqual, polrelid) || ')', ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')')
      from pg_policy where polrelid = source
    union all
    select 3, format('alter table %I enable row level security', whole) from pg_class where oid = source and relrowsecurity
    union all
    select 4, format('grant %s on %I to %I', privilege_type, whole, grantee::regrole)
      from pg_class, aclexplode(relacl) where oid = source and grantee <> relowner
    union all
    select 5, format('alter table %I add constraint %I %s', whole, conname, pg_get_constraintdef(oid))
      from pg_constraint where conrelid = source and contype = 'f' and conparentid = 0
    union all
    select 6, format('alter table %s add constraint %I %s', conrelid::regclass, conname,
             case when directory is null then pg_get_constraintdef(oid)
                  else replace(pg_get_constraintdef(oid), format('REFERENCES %I(', whole), format('REFERENCES %I(', directory)) end)
      from pg_constraint where confrelid = source and conparentid = 0
    union all
    select 7, pg_get_triggerdef(oid) from pg_trigger where tgrelid = source and not tgisinternal
  ) as all_of_it order by step, statement;

  for one in select conrelid::regclass as place, conname from pg_constraint where confrelid = source and conparentid = 0 loop
    execute format('alter table %s drop constraint %I', one.place, one.conname);
  end loop;
  for one in select conname from pg_constraint where conrelid = source and contype in ('p', 'u') loop
    execute format('alter table %I drop constraint %I', whole, one.conname);
  end loop;
  for one in select indexrelid::regclass as name from pg_index where indrelid = source loop
    execute format('drop index %s', one.name);
  end loop;
end $$;

-- Second step: divides the rows.
create or replace procedure parts.divide_rows(whole text, key text) language plpgsql as $$
declare
  source oid := whole::regclass;
  divided text := whole || '_divided';
  number_of_parts integer := coalesce(nullif(current_setting('sideline.parts', true), ''), '16')::integer;
  columns text;
  options text;
  next_id bigint;
begin
  if (select relkind from pg_class where oid = source) = 'p' then
    return;
  end if;
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
   where attrelid = source and attnum > 0 and not attisdropped and attgenerated = '';
  select coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '') into options from pg_class where oid = source;
  if exists (select from pg_attribute where attrelid = source and attname = 'id' and attidentity <> '') then
    execute format('select case when is_called then last_value + 1 else last_value end from %s', pg_get_serial_sequence(whole, 'id')) into next_id;
  end if;
  execute format('create table %I (like %I including defaults including generated including identity including constraints including storage including compression) partition by hash (%I)',
    divided, whole, key);
  for number in 0 .. number_of_parts - 1 loop
    execute format('create table parts.%I partition of %I for values with (modulus %s, remainder %s)%s',
      whole || '_p' || number, divided, number_of_parts, number, options);
    -- A part that is named by itself knows nothing of the whole table's policies: so it shows the app's role nothing.
    execute format('alter table parts.%I enable row level security', whole || '_p' || number);
  end loop;
  execute format('insert into %I (%s) overriding system value select %s from %I', divided, columns, columns, whole);
  execute format('drop table %I', whole);
  execute format('alter table %I rename to %I', divided, whole);
  if next_id is not null then
    execute format('alter sequence %s rename to %I', pg_get_serial_sequence(whole, 'id'), whole || '_id_seq');
    execute format('alter table %I alter id restart with %s', whole, next_id);
  end if;
end $$;

-- Third step: makes what was noted. `directory_triggers`: in the same transaction, so that no row is written without them.
create or replace procedure parts.make_noted(whole text, directory_triggers text[] default '{}') language plpgsql as $$
declare
  one record;
begin
  if not exists (select from parts.left_to_make l where l.whole = make_noted.whole) then
    return;
  end if;
  for one in select statement from parts.left_to_make l where l.whole = make_noted.whole order by place loop
    execute one.statement;
  end loop;
  for one in select statement from unnest(directory_triggers) as statement loop
    execute one.statement;
  end loop;
  delete from parts.left_to_make l where l.whole = make_noted.whole;
end $$;

call parts.note_and_strip('photos', 'organization_id', 'photo_ids');
call parts.divide_rows('photos', 'organization_id');
call parts.make_noted('photos', array[
  'create trigger photos_directory before insert on photos for each row execute function enter_photo_id()',
  'create trigger photos_directory_left after delete on photos for each row execute function leave_directory(''photo_ids'')']);

call parts.note_and_strip('renditions', 'photo_id', null);
call parts.divide_rows('renditions', 'photo_id');
call parts.make_noted('renditions');

call parts.note_and_strip('orders', 'organization_id', 'order_ids');
call parts.divide_rows('orders', 'organization_id');
call parts.make_noted('orders', array[
  'create trigger orders_directory before insert on orders for each row execute function enter_order_id()',
  'create trigger orders_directory_left after delete on orders for each row execute function leave_directory(''order_ids'')']);

call parts.note_and_strip('order_photos', 'organization_id', null);
call parts.divide_rows('order_photos', 'organization_id');
call parts.make_noted('order_photos');

call parts.note_and_strip('payment_attempts', 'organization_id', 'charge_ids');
call parts.divide_rows('payment_attempts', 'organization_id');
call parts.make_noted('payment_attempts', array[
  'create trigger payment_attempts_directory before insert or update of provider_ref on payment_attempts for each row execute function enter_charge_id()',
  'create trigger payment_attempts_directory_left after delete on payment_attempts for each row execute function leave_directory(''charge_ids'')']);

-- The books name no organization: a posting and its entries are in the part of the posting's id.
call parts.note_and_strip('ledger_txs', 'id', null);
call parts.divide_rows('ledger_txs', 'id');
call parts.make_noted('ledger_txs', array[
  'create trigger ledger_txs_directory before insert on ledger_txs for each row execute function enter_posting_source()']);

call parts.note_and_strip('ledger_entries', 'tx_id', null);
call parts.divide_rows('ledger_entries', 'tx_id');
call parts.make_noted('ledger_entries');

-- Triggers of rows run for a part and are told its name.
do $$
declare
  one record;
begin
  for one in select pg_get_functiondef(oid) as definition from pg_proc
              where pronamespace = 'public'::regnamespace and prosrc like '%case tg_table_name when ''ledger_txs''%' loop
    execute replace(one.definition, 'tg_table_name', 'regexp_replace(tg_table_name, ''_p[0-9]+$'', '''')');
  end loop;
end $$;

drop procedure parts.note_and_strip;
drop procedure parts.divide_rows;
drop procedure parts.make_noted;
drop table parts.left_to_make;

analyze photos, renditions, orders, order_photos, payment_attempts, ledger_txs, ledger_entries, photo_ids, order_ids, charge_ids, posting_sources;
