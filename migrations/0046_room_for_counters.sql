-- Counters of sales, likes and votes stand in the rows of photos, and none of them is in an index. With room on its page a row is
-- rewritten there, without a new entry in each of a dozen indexes. Module: features/photos.
alter table photos set (fillfactor = 85);
