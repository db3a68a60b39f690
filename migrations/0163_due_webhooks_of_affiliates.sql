-- What is due at an endpoint is read apart: of its own organization, and of those below it (decision record 0071). Module: features/webhooks.
create index webhook_deliveries_own on webhook_deliveries (endpoint_id, due_at, id)
  where state = 'waiting' and about_organization_id is null;
create index webhook_deliveries_below on webhook_deliveries (endpoint_id, due_at, id)
  where state = 'waiting' and about_organization_id is not null;
