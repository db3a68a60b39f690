-- The owner's desk: visits of galleries, and reports that do not read what they do not tell.

-- How often a gallery was opened: one row per gallery and day of its organisation's time zone. Nobody is recognised again: there is
-- no visitor in it. Room: features/reports.
create table gallery_visits (
  organization_id bigint not null references organizations,
  gallery_id bigint not null references galleries,
  day date not null,
  visits integer not null default 0 check (visits >= 0),
  primary key (gallery_id, day)
);
alter table gallery_visits enable row level security;
create policy gallery_visits_scope on gallery_visits
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Sales of an organisation within days, and what of them concerns one gallery.
create index orders_sold on orders (organization_id, paid_at) where paid_at is not null;
create index orders_donated_to on orders (donation_gallery_id) where donation_gallery_id is not null and donation_cents > 0;
create index order_photos_of_gallery on order_photos (gallery_id, order_id);

-- From now on a refund lowers the counters of photos and galleries by what it gave back: each line and then the donation bear
-- their part of it, cent by cent (orders/refund-parts.rules.ts). Here the same for refunds of the past.
with back as (
  select o.id as order_id, o.refunded_cents >= o.total_cents as is_whole, (o.subtotal_cents + o.donation_cents)::bigint as base,
         o.refunded_cents - o.tax_cents::bigint * o.refunded_cents / o.total_cents as back
    from orders o where o.refunded_cents > 0 and o.total_cents > 0
), lines as (
  select l.photo_id, l.gallery_id, b.is_whole, l.price_cents, b.back, b.base,
         sum(l.price_cents) over (partition by l.order_id order by l.id) as upto
    from back b join order_photos l on l.order_id = b.order_id
), given as (
  select photo_id, gallery_id, count(*) filter (where is_whole) as photos,
         sum(coalesce(upto * back / nullif(base, 0) - (upto - price_cents) * back / nullif(base, 0), 0)) as cents
    from lines group by photo_id, gallery_id
), lowered as (
  update photos p set sales_count = p.sales_count - g.photos, sales_cents = p.sales_cents - g.cents
    from (select photo_id, sum(photos) as photos, sum(cents) as cents from given group by photo_id) g
   where p.id = g.photo_id
), donated as (
  select o.donation_gallery_id as gallery_id, sum(b.back - o.subtotal_cents * b.back / nullif(b.base, 0)) as cents
    from back b join orders o on o.id = b.order_id
   where o.donation_gallery_id is not null and o.donation_cents > 0
   group by o.donation_gallery_id
), by_gallery as (
  select gallery_id, sum(photos) as photos, sum(cents) as cents, sum(donations) as donations
    from (select gallery_id, photos, cents, 0 as donations from given union all select gallery_id, 0, 0, cents from donated) parts
   group by gallery_id
)
update galleries g set photos_sold = g.photos_sold - b.photos, sales_cents = g.sales_cents - b.cents, donations_cents = g.donations_cents - b.donations
  from by_gallery b where g.id = b.gallery_id;
