-- The editor's grid (specification A§4): its filters page by key, whatever the size of the gallery and however few of its photos
-- pass, and a place is found by walking an index from the nearer end. Room: features/photos.
create index photos_shown_order on photos (gallery_id, (not featured), order_key, id)
  where show_in_gallery and removed_at is null;
create index photos_hidden_order on photos (gallery_id, (not featured), order_key, id)
  where not show_in_gallery and removed_at is null;
-- Without the featured photo, which is first in any case: an expression in the index would send the walk to the table.
create index photos_places on photos (gallery_id, order_key, id)
  where not featured and removed_at is null;
