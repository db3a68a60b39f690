/** The facts of the photos of gallery $1 that a visitor sees, in their order, in the simplest possible form. */
export const PHOTOS_OF_GALLERY = `
  select p.id, p.name, p.width, p.height, encode(p.thumbhash, 'base64') as thumbhash, p.featured, p.order_key, p.pixel_version,
         p.likes_count as likes, p.votes_count as votes, p.exif->>'takenAt' as captured_at, p.price_override_cents,
         g.price_cents, g.display_watermark, g.public_photo_count as total,
         (select json_agg(json_build_object('id', k.id, 'name', k.name)) from photo_keywords k where k.photo_id = p.id) as keywords
    from galleries g join photos p on p.gallery_id = g.id
   where g.id = $1 and g.active and p.show_in_gallery and p.status = 'ready' and p.removed_at is null
   order by not p.featured, p.order_key, p.id`;
