-- Promo codes of the office: who issued and ended one, and which account was made with it. Room: features/billing.

alter table promo_codes add column created_by bigint references users;
-- Ended before its time; `expires_at` is then the same moment, so that nobody takes it any more.
alter table promo_codes add column ended_at timestamptz;
create index promo_codes_of_organization on promo_codes (organization_id, id desc);

-- The account that was made with the code; unknown for those of before.
alter table promo_redemptions add column redeemed_by bigint references organizations;
create index promo_redemptions_newest on promo_redemptions (promo_code_id, id desc);

-- Galleries that were deleted, for platform admins who bring one back (decision 45).
create index galleries_inactive on galleries (organization_id, created_at desc, id) where not active;
