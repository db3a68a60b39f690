-- Money of the accounts themselves: yearly subscriptions, what was paid for them, redeemed promo codes.
-- Room: features/billing. Amounts are integer cents (decision 15).

create table subscriptions (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  plan text not null check (plan in ('premium', 'enterprise')),
  price_cents integer not null check (price_cents > 0),
  status text not null check (status in ('active', 'past_due', 'ended')),
  -- What is paid for.
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  -- When the card is charged next: the end of the period, or later after a refusal.
  charge_on timestamptz not null,
  -- Refusals of the renewal that is due.
  declines integer not null default 0 check (declines >= 0),
  -- The end of the period that was announced by a letter.
  announced_end timestamptz,
  payer_name text not null,
  payer_email citext not null,
  -- The provider's name of the kept card; never a number.
  saved_card text,
  card_brand text,
  card_last4 text,
  card_exp_month integer,
  card_exp_year integer,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'ended') = (ended_at is not null))
);
create unique index subscriptions_one_live on subscriptions (organization_id) where status <> 'ended';
create index subscriptions_due on subscriptions (charge_on) where status <> 'ended';

create table account_payments (
  id bigint generated always as identity primary key,
  -- Null until a sign-up has made its organisation.
  organization_id bigint references organizations,
  user_id bigint references users,
  subscription_id bigint references subscriptions,
  kind text not null check (kind in ('sign_up', 'upgrade', 'renewal')),
  plan text not null check (plan in ('premium', 'enterprise')),
  amount_cents integer not null check (amount_cents > 0),
  -- Stored before the provider is called.
  idempotency_key uuid not null unique,
  state text not null check (state in ('created', 'sent', 'succeeded', 'failed', 'unknown', 'refunding', 'refunded')),
  -- The period that it is for; of a renewal the end of the one before.
  period_start timestamptz,
  payer_name text not null,
  payer_email citext not null,
  provider_ref text unique,
  fee_cents integer check (fee_cents >= 0),
  saved_card text,
  card_brand text,
  card_last4 text,
  card_exp_month integer,
  card_exp_year integer,
  refund_key uuid unique,
  refund_ref text unique,
  -- The provider's words of a refusal, or why nothing is known.
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  decided_at timestamptz,
  refunded_at timestamptz,
  check (kind = 'sign_up' or organization_id is not null),
  check (kind <> 'renewal' or (subscription_id is not null and period_start is not null)),
  check (state not in ('succeeded', 'refunding', 'refunded') or provider_ref is not null),
  check (state not in ('refunding', 'refunded') or refund_key is not null)
);
-- Two upgrades at once charge once; a period is charged once.
create unique index account_payments_one_upgrade on account_payments (organization_id)
  where kind = 'upgrade' and state in ('created', 'sent', 'unknown');
create unique index account_payments_one_renewal on account_payments (subscription_id, period_start)
  where kind = 'renewal' and state in ('created', 'sent', 'unknown', 'succeeded');
create index account_payments_of_organization on account_payments (organization_id, id);
create index account_payments_open on account_payments (created_at) where state in ('created', 'sent', 'unknown', 'refunding');
create index account_payments_without_account on account_payments (decided_at)
  where state = 'succeeded' and organization_id is null;

create table promo_redemptions (
  id bigint generated always as identity primary key,
  promo_code_id bigint not null references promo_codes,
  -- Whose code it is.
  organization_id bigint not null references organizations,
  redeemed_at timestamptz not null default now()
);
create index promo_redemptions_of_code on promo_redemptions (promo_code_id);

alter table subscriptions enable row level security;
create policy subscriptions_scope on subscriptions
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table account_payments enable row level security;
create policy account_payments_scope on account_payments
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table promo_redemptions enable row level security;
create policy promo_redemptions_scope on promo_redemptions
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
