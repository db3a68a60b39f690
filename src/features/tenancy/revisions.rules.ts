/** The revision of a subject in SQL, for this module's statements and those that bring its gallery. */

/** A number that no other state of a subject has, as text, and how many rows it is computed from. */
export type FoundRevision = { revision: string; changes: number };

/** The number, from a subject's rows `c` of `page_changes`. */
export const REVISION = 'coalesce(bit_xor(hashint8extended(c.id, 0)), 0)';

const foundOf = (galleryId: string) =>
  `(select json_build_object('revision', ${REVISION}::text, 'changes', count(*))
      from page_changes c where c.organization_id = g.organization_id and c.gallery_id = ${galleryId})`;

/** As JSON: the revisions of the own facts of the organization of the gallery `g`, and of the gallery. */
export const GALLERY_REVISIONS = `json_build_array(${foundOf('0')}, ${foundOf('g.id')})`;
