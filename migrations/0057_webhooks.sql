-- Webhooks: where an organization wants to be told of what happens, and every message with its outcome (decision record 0071).
-- Triggers write the messages in the transaction of the change itself; where no one listens they find no row and write none.
-- Module: features/webhooks.
create table webhook_endpoints (
  id bigint primary key default random_id(),
  organization_id bigint not null references organizations,
  -- At most five of an organization.
  place smallint not null check (place between 1 and 5),
  url text not null check (char_length(url) between 1 and 500),
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  -- Sealed. The one before it signs, too, until `former_until`.
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz,
  -- Since when every attempt has failed, and how many did.
  failing_since timestamptz,
  failures integer not null default 0,
  -- Nothing is sent before.
  retry_at timestamptz,
  -- When it was switched off because it had failed for days.
  paused_at timestamptz,
  -- It takes long to answer, or does not: such endpoints share a part of the lanes of a worker.
  slow boolean not null default false,
  -- A worker sends to it until then, or has died.
  taken_until timestamptz,
  served_at timestamptz not null default now(),
  created_by bigint references users,
  created_at timestamptz not null default now(),
  unique (organization_id, place),
  check (not active or paused_at is null)
);
alter table webhook_endpoints enable row level security;
create policy webhook_endpoints_scope on webhook_endpoints
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- One event for one endpoint. Kept for 30 days.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  -- The same at every endpoint and in every attempt: receivers recognize a second one by it.
  event_id uuid not null,
  type text not null,
  -- What had happened, as it was then.
  facts jsonb not null,
  occurred_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- An attempt that fails after this is the last.
  give_up_at timestamptz not null default now() + interval '4 days',
  -- Of the last attempt. Without a status no answer came, and `answer` says why.
  attempted_at timestamptz,
  status smallint,
  duration_ms integer,
  answer text check (char_length(answer) <= 500),
  unique (endpoint_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where state = 'waiting';
create index webhook_deliveries_soonest on webhook_deliveries (due_at) where state = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id desc) where state = 'failed';
create index webhook_deliveries_age on webhook_deliveries (occurred_at);
alter table webhook_deliveries enable row level security;
create policy webhook_deliveries_scope on webhook_deliveries
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- What a worker asks each second: one look at an index, without a transaction. It tells of no tenant.
create function webhooks_are_due() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from webhook_deliveries where state = 'waiting' and due_at <= now());
$$;

-- Each trigger asks first whether anyone listens: one look at an index of a small table.
create function write_webhook(owner bigint, kind text, facts jsonb) returns void language sql
  security definer set search_path = public, pg_temp as $$
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, facts)
  select owner, e.id, one.event_id, kind, facts
    from (select gen_random_uuid() as event_id) one, webhook_endpoints e
   where e.organization_id = owner and e.active and kind = any (e.events);
$$;
revoke execute on function write_webhook from public;

-- Lines are written in the statement of their order, so they are there.
create function note_order_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and 'order.paid' = any (e.events)) then
    perform write_webhook(new.organization_id, 'order.paid', jsonb_build_object(
      'orderId', new.id, 'subtotalCents', new.subtotal_cents, 'taxCents', new.tax_cents, 'donationCents', new.donation_cents,
      'totalCents', new.total_cents, 'donationGalleryId', new.donation_gallery_id, 'paidAt', new.paid_at,
      'photoCount', (select count(*) from order_photos p where p.order_id = new.id),
      'photos', coalesce((select jsonb_agg(jsonb_build_object('photoId', p.photo_id, 'galleryId', p.gallery_id, 'priceCents', p.price_cents) order by p.id)
                            from (select * from order_photos p where p.order_id = new.id order by p.id limit 100) p), '[]')));
  end if;
  return null;
end $$;
create trigger orders_webhook_made_paid after insert on orders
  for each row when (new.paid_at is not null) execute function note_order_paid();
create trigger orders_webhook_paid after update on orders
  for each row when (old.paid_at is null and new.paid_at is not null) execute function note_order_paid();

create function note_order_refunded() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and 'order.refunded' = any (e.events)) then
    perform write_webhook(new.organization_id, 'order.refunded', jsonb_build_object(
      'orderId', new.id, 'refundCents', new.refunded_cents - old.refunded_cents, 'refundedCents', new.refunded_cents,
      'totalCents', new.total_cents));
  end if;
  return null;
end $$;
create trigger orders_webhook_refunded after update on orders
  for each row when (new.refunded_cents > old.refunded_cents) execute function note_order_refunded();

create function note_photo_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and tg_argv[0] = any (e.events)) then
    perform write_webhook(new.organization_id, tg_argv[0], jsonb_build_object(
      'photoId', new.id, 'galleryId', new.gallery_id, 'name', new.name, 'width', new.width, 'height', new.height,
      'isContributed', new.gallery_contributor_id is not null,
      'waitsForReview', new.gallery_contributor_id is not null and not new.show_in_gallery and new.reviewed_at is null));
  end if;
  return null;
end $$;
create trigger photos_webhook_ready after update of status on photos
  for each row when (old.status = 'processing' and new.status = 'ready') execute function note_photo_news('photo.ready');
-- The trigger `photos_review` sets the moment of the first decision.
create trigger photos_webhook_approved after update of show_in_gallery on photos
  for each row when (new.gallery_contributor_id is not null and new.show_in_gallery and not old.show_in_gallery and old.reviewed_at is null)
  execute function note_photo_news('photo.approved');

create function note_gallery_published() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and 'gallery.published' = any (e.events)) then
    perform write_webhook(new.organization_id, 'gallery.published', jsonb_build_object(
      'galleryId', new.id, 'name', new.name, 'photoCount', new.public_photo_count, 'priceCents', new.price_cents,
      'passwordRequired', new.password_required));
  end if;
  return null;
end $$;
-- It is listed from now on: active, not private, with a photo to see.
create trigger galleries_webhook_published after update of active, is_private, public_photo_count on galleries
  for each row when (new.active and not new.is_private and new.public_photo_count > 0
                     and not (old.active and not old.is_private and old.public_photo_count > 0))
  execute function note_gallery_published();

create function note_payout_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and 'payout.paid' = any (e.events)) then
    perform write_webhook(new.organization_id, 'payout.paid', jsonb_build_object(
      'payoutId', new.id, 'amountCents', new.amount_cents, 'reference', new.reference, 'orderCount', new.order_count,
      'salesFrom', new.sales_from, 'salesTo', new.sales_to, 'paidAt', new.decided_at));
  end if;
  return null;
end $$;
create trigger payouts_webhook_paid after update of status on payouts
  for each row when (old.status <> 'paid' and new.status = 'paid') execute function note_payout_paid();
