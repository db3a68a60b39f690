-- A lost dispute takes of a code of credit what the bank took, and leaves the rest usable (decision record 0130). Module:
-- features/credit. What it took is a movement of its own kind: beside the disputes, it says what the code still owes.
alter table credit_movements drop constraint credit_movements_kind_check;
alter table credit_movements add constraint credit_movements_kind_check
  check (kind in ('sold', 'spent', 'returned', 'refunded', 'disputed', 'paid_out'));
-- No release has used it.
alter table credit_codes drop column voided_at;
