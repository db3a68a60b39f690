-- What an order that offers, a pass or a code took part in was priced from, so that a refund of a part asks the same question again
-- (decision record 0092). Module: features/orders. No names and no addresses are in it.

create table order_prices (
  order_id bigint primary key references orders,
  organization_id bigint not null references organizations,
  -- `AskedPrice` of orders/asked-price.rules.ts: photos with single prices, price sheets by version, passes, the code's terms, the day.
  asked jsonb not null check (octet_length(asked::text) <= 131072)
);
alter table order_prices enable row level security;
create policy order_prices_scope on order_prices
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create trigger order_prices_append_only before update or delete or truncate on order_prices
  for each statement execute function refuse_change();

-- What was sold in an order, part by part: its photos, then its passes by gallery. Refunds are divided over the parts in this order
-- (is_pass, id, gallery_id), then over the donation.
-- A function, because a view would hold on to the table that `deploy/partitions` puts another in place of.
create function order_parts() returns table (order_id bigint, organization_id bigint, is_pass boolean, id bigint, gallery_id bigint, photo_id bigint, price_cents integer)
  language sql stable as $$
  select l.order_id, l.organization_id, false, l.id, l.gallery_id, l.photo_id, l.price_cents from order_photos l
  union all
  select p.order_id, g.organization_id, true, p.order_offer_id, g.gallery_id, null, g.price_cents
    from passes p join pass_galleries g on g.pass_id = p.id
$$;
