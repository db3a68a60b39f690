/**
 * Which photos a pass opens. It is queried each time, because photos are added, removed and hidden (decision records
 * 0092, 0109). Owns no table.
 */
import { sql, type RawBuilder } from 'kysely';

/** A photo that waited for review counts as added when it was approved. */
const CAME = sql`greatest(p.created_at, p.reviewed_at)`;
const COLUMNS = sql`p.id, p.gallery_id, p.name, p.featured, p.order_key, p.removed_at, p.moved_to_id, p.withheld_at, p.show_in_gallery, ${CAME} as came`;

/**
 * Galleries of an athlete pass `s`: those that it was divided over when it was sold, even if deleted since, and active
 * ones of its price sheet.
 */
const IS_ITS_GALLERY = sql`(
  exists (select from pass_galleries x where x.pass_id = s.id and x.gallery_id = g.id)
  or (g.active and g.price_sheet_id = s.sheet_id and (s.athlete_id is not null or not (g.is_private or g.password_required))))`;

/**
 * Photos `p` of pass `s` of the order `o`, as part of a `from`; `is_shown` says whether the pass opens it. A gallery
 * pass and a pass of a public number have what everyone sees. A child's pass also has what only its family sees, and
 * what was in it before the child's `no` if it was bought before that; neither for photos that came after its card was
 * replaced. `added` is when it came into the pass, `came` into its gallery.
 */
export const PHOTOS_OF_PASS = sql`lateral (
  select ${COLUMNS}, ${CAME} as added, p.show_in_gallery and p.withheld_at is null as is_shown
    from photos p where s.gallery_id is not null and p.gallery_id = s.gallery_id and p.status = 'ready'
  union all
  select ${COLUMNS}, greatest(${CAME}, t.at), p.show_in_gallery or (
         p.withheld_at is not null and only_family_sees(p.id, t.athlete_id)
         and not exists (select from athlete_cards c where c.id = s.card_id and least(c.replaced_at, c.refused_at) <= greatest(${CAME}, t.at)))
         or (p.withheld_at is not null and greatest(${CAME}, t.at, o.created_at) <= own_no_since(p.id, t.athlete_id)
             and exists (select from athlete_cards c where c.id = s.card_id and c.refused_at is null and (c.replaced_at <= greatest(${CAME}, t.at)) is not true))
    from photo_tags t join photos p on p.id = t.photo_id and p.organization_id = t.organization_id join galleries g on g.id = p.gallery_id
   where s.athlete_id is not null and t.athlete_id = s.athlete_id and p.status = 'ready' and ${IS_ITS_GALLERY}
  union all
  select ${COLUMNS}, greatest(${CAME}, t.at), p.show_in_gallery and p.withheld_at is null
    from (select photo_id, max(at) as at from photo_tags where team_id = s.team_id and number = s.number group by photo_id) t
    join photos p on p.id = t.photo_id and p.organization_id = s.organization_id join galleries g on g.id = p.gallery_id
   where s.team_id is not null and p.status = 'ready' and ${IS_ITS_GALLERY}
) p`;

/**
 * Whether the pass opens a photo `p` of `PHOTOS_OF_PASS`, for a seller in this time zone: not those that came after its
 * last day.
 */
export const isOpened = (timeZone: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  (p.is_shown and p.removed_at is null and p.came < (s.valid_until + 1)::timestamp at time zone ${timeZone})`;

export const IS_NEW = sql<boolean>`(s.last_download_at is null or p.added >= s.last_download_at)`;
