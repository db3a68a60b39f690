-- Reports and dashboards of members read kept sums, too, and the orders of noted days beside them (decision record 0065): they see the
-- notes of their own organizations. Module: features/reports (kept-sales).
create policy sales_changes_of_members on sales_changes for select
  using (organization_id = any ((select app_organization_ids())::bigint[]));
