-- What was sold, by seller, day of its time zone, and gallery or code, for reports of members (decision record 0065): made with the sums
-- of the day, from the same notes, and of the same kind. Module: features/reports (kept-sales).
create table sales_parts (
  organization_id bigint not null references organizations,
  day date not null,
  -- One of both, or neither (0): all that was sold on the day. An order of two galleries counts in both, and once in all of it.
  gallery_id bigint not null,
  coupon_id bigint not null,
  order_count integer not null,
  photo_count integer not null,
  sales_cents bigint not null,
  donations_cents bigint not null,
  tax_cents bigint not null,
  refunds_cents bigint not null,
  fees_cents bigint not null,
  share_cents bigint not null,
  disputed_cents bigint not null,
  net_cents bigint not null,
  offers_saved_cents bigint not null,
  reductions_cents bigint not null,
  included_cents bigint not null,
  credit_used_cents bigint not null,
  credit_sold_cents bigint not null,
  primary key (organization_id, day, gallery_id, coupon_id)
);
alter table sales_parts enable row level security;
create policy sales_parts_scope on sales_parts
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Whatever takes a day's sums away, takes its parts: also a process of the release before, which knows none.
create function drop_sales_parts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sales_parts p using (select distinct organization_id, day from gone) g where p.organization_id = g.organization_id and p.day = g.day;
  return null;
end $$;
create trigger sales_days_parts after delete on sales_days
  referencing old table as gone for each statement execute function drop_sales_parts();

-- Days that were summed before have no parts: all are made anew by the worker as it starts, and until then reports read their orders.
insert into sales_changes (organization_id, paid_at)
  select distinct organization_id, 'infinity'::timestamptz from orders where paid_at is not null;
