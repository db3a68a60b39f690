-- Archives of orders, and finding one's orders by the address they were bought with.

-- CRC-32 of sold copies, learnt when an archive was first sent: an archive that is taken up again in the middle ends with
-- the checksums of files that are not read a second time. The fingerprint names the bytes, so a row is true for good.
create table sold_copy_checksums (
  fingerprint text primary key check (char_length(fingerprint) between 8 and 100),
  crc32 bigint not null check (crc32 between 0 and 4294967295)
);
alter table sold_copy_checksums enable row level security;
create policy sold_copy_checksums_scope on sold_copy_checksums using ((select app_is_system()));

create index orders_of_buyer on orders (email_address, paid_at desc)
  where status in ('paid', 'partially_refunded', 'refunded', 'disputed');
