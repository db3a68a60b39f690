-- Hiding and publishing one gallery again and again was the cheapest way to make messages without end: an endpoint is told of one gallery
-- once in ten minutes. Module: features/webhooks.
create or replace function note_gallery_published() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and 'gallery.published' = any (e.events))
     and not exists (select from webhook_deliveries d
                      where d.organization_id = new.organization_id and d.type = 'gallery.published'
                        and d.occurred_at > now() - interval '10 minutes' and d.facts ->> 'galleryId' = new.id::text) then
    perform write_webhook(new.organization_id, 'gallery.published', jsonb_build_object(
      'galleryId', new.id, 'name', new.name, 'photoCount', new.public_photo_count, 'priceCents', new.price_cents,
      'passwordRequired', new.password_required));
  end if;
  return null;
end $$;
