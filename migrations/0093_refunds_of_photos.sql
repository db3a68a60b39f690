-- Refunds of photos and passes (decision record 0094): which of an order go back with the money. Null: an amount alone.
-- Their rights end when the refund is given. Module: features/refunds.
alter table payment_attempts add column photo_ids bigint[], add column pass_ids bigint[];
alter table refund_requests add column photo_ids bigint[], add column pass_ids bigint[];
