-- Fills the column of 0045; whoever reads photos meanwhile does not wait. Module: features/photos.
update photos set tagged = true
 where not tagged and exists (select from photo_keywords k where k.photo_id = photos.id);
