/** Photos that were sold, and that a family does not allow any more (athletes specification B.5). */
import { sql } from 'kysely';

/**
 * Whether a child on the photo of `line`, a line of the order `o`, must not be published by its family's own wish. The child's own family keeps what
 * it bought: it is known by its address, or by the card that was open when it ordered. What `unknown` means, `family`, a request and a hold take nothing from buyers.
 */
export const IS_WITHDRAWN = sql<boolean>`exists (
  select from photo_withholdings w join athletes child on child.id = w.source_id
   where w.photo_id = line.photo_id and w.cause = 'consent' and child.consent = 'no'
     and not is_order_of_family(o.id, o.email_address, child.id))`;
