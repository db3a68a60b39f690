-- A parent's webhook may also be told of what happens in the organizations below it (decision record 0071). Module: features/webhooks.
alter table webhook_endpoints add column of_affiliates boolean not null default false;
-- Whose event it is where that is not the endpoint's own organization.
alter table webhook_deliveries add column about_organization_id bigint references organizations;

-- Endpoints that are told of this: the organization's own, and those of the parent that it has now.
create function webhooks_of(owner bigint, wanted text) returns setof webhook_endpoints language sql stable
  security definer set search_path = public, pg_temp as $$
  select e.* from webhook_endpoints e
   where e.organization_id = owner and e.active and wanted = any (e.events)
  union all
  select e.* from organizations o join webhook_endpoints e on e.organization_id = o.parent_organization_id
   where o.id = owner and e.active and e.of_affiliates and wanted = any (e.events);
$$;
revoke execute on function webhooks_of from public;

create or replace function write_webhook(owner bigint, kind text, facts jsonb) returns void language sql
  security definer set search_path = public, pg_temp as $$
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, facts, about_organization_id)
  select e.organization_id, e.id, one.event_id, kind, facts, nullif(owner, e.organization_id)
    from (select gen_random_uuid() as event_id) one, webhooks_of(owner, kind) e;
$$;

create or replace function note_order_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhooks_of(new.organization_id, 'order.paid')) then
    perform write_webhook(new.organization_id, 'order.paid', jsonb_build_object(
      'orderId', new.id, 'subtotalCents', new.subtotal_cents, 'taxCents', new.tax_cents, 'donationCents', new.donation_cents,
      'totalCents', new.total_cents, 'donationGalleryId', new.donation_gallery_id, 'paidAt', new.paid_at,
      'photoCount', (select count(*) from order_photos p where p.order_id = new.id),
      'photos', coalesce((select jsonb_agg(jsonb_build_object('photoId', p.photo_id, 'galleryId', p.gallery_id, 'priceCents', p.price_cents) order by p.id)
                            from (select * from order_photos p where p.order_id = new.id order by p.id limit 100) p), '[]'))
      || coalesce((select jsonb_build_object('passes', jsonb_agg(jsonb_build_object(
                            'passId', p.id, 'kind', p.kind, 'galleryId', p.gallery_id, 'priceCents', p.price_cents, 'validUntil', p.valid_until) order by p.order_offer_id))
                     from passes p where p.order_id = new.id having count(*) > 0), '{}'));
  end if;
  return null;
end $$;

create or replace function note_order_refunded() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhooks_of(new.organization_id, 'order.refunded')) then
    perform write_webhook(new.organization_id, 'order.refunded', jsonb_build_object(
      'orderId', new.id, 'refundCents', new.refunded_cents - old.refunded_cents, 'refundedCents', new.refunded_cents,
      'totalCents', new.total_cents));
  end if;
  return null;
end $$;

create or replace function note_photo_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhooks_of(new.organization_id, tg_argv[0])) then
    perform write_webhook(new.organization_id, tg_argv[0], jsonb_build_object(
      'photoId', new.id, 'galleryId', new.gallery_id, 'name', new.name, 'width', new.width, 'height', new.height,
      'isContributed', new.gallery_contributor_id is not null,
      'waitsForReview', new.gallery_contributor_id is not null and not new.show_in_gallery and new.reviewed_at is null));
  end if;
  return null;
end $$;

-- Of one gallery once in ten minutes (migration 0080), whoever hears of it.
create or replace function note_gallery_published() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhooks_of(new.organization_id, 'gallery.published'))
     and not exists (select from webhook_deliveries d
                      where d.type = 'gallery.published' and d.occurred_at > now() - interval '10 minutes'
                        and d.facts ->> 'galleryId' = new.id::text) then
    perform write_webhook(new.organization_id, 'gallery.published', jsonb_build_object(
      'galleryId', new.id, 'name', new.name, 'photoCount', new.public_photo_count, 'priceCents', new.price_cents,
      'passwordRequired', new.password_required));
  end if;
  return null;
end $$;

create or replace function note_payout_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhooks_of(new.organization_id, 'payout.paid')) then
    perform write_webhook(new.organization_id, 'payout.paid', jsonb_build_object(
      'payoutId', new.id, 'amountCents', new.amount_cents, 'reference', new.reference, 'orderCount', new.order_count,
      'salesFrom', new.sales_from, 'salesTo', new.sales_to, 'paidAt', new.decided_at));
  end if;
  return null;
end $$;
