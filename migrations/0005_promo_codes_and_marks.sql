-- Promo codes (decision 22): of one organisation, with an expiry and a maximum of uses, redeemed atomically.
-- Room: features/billing.
create table promo_codes (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  code citext not null check (char_length(code) = 8),
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0 check (uses >= 0 and uses <= max_uses),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (organization_id, code)
);

-- What the house remembers about itself, such as "the demo is complete".
create table house_marks (
  name text primary key,
  at timestamptz not null default now()
);
