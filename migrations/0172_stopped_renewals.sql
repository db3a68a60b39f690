-- When a member said that the plan is not to be renewed: at the end of the period it ends. Null renews. Module: features/billing.
alter table subscriptions add column stopped_at timestamptz;
