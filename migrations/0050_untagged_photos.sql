-- Photos without keywords in the order of their gallery. Module: features/photos.
create index photos_untagged_order on photos (gallery_id, (not featured), order_key, id)
  where not tagged and removed_at is null and status <> 'failed';
