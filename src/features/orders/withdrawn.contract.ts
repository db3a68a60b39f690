/** What a buyer reads of a sold photo that a family does not allow any more. */
export const PHOTO_WITHDRAWN = "This photo was withdrawn at a family's wish.";
