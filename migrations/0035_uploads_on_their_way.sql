-- Uploads that nobody has claimed count against a free gallery's limit, so each form that is asked for counts them.
create index uploads_of_gallery_unclaimed on uploads (gallery_id) where claimed_at is null;
