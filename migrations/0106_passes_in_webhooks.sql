-- What an order was paid for includes its passes (docs/webhooks.md). Only where there are some: other messages stay as they were.
create or replace function note_order_paid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.organization_id = new.organization_id and e.active and 'order.paid' = any (e.events)) then
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
-- An order that costs nothing is paid as it is written, before its passes are: it is told at the end of that transaction.
drop trigger orders_webhook_made_paid on orders;
create constraint trigger orders_webhook_made_paid after insert on orders
  deferrable initially deferred for each row when (new.paid_at is not null and new.kind = 'photos') execute function note_order_paid();
