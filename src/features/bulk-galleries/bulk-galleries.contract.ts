/** Texts of the bulk gallery forms (specification A§2, 5, 8). */
export const CREATE_BULK_GALLERIES = 'Create Bulk Galleries';
export const SAVE_ALL_GALLERIES = 'Save All Galleries';
export const GALLERIES_SAVED = 'Galleries Saved Successfully';
export const SOME_NOT_CREATED = 'Some galleries could not be created.';
export const ORGANIZATION_REQUIRED = 'Organization required.';
export const LEAVE_GALLERIES_QUESTION = 'Some of these galleries are not saved yet.';
/** After a reload: a browser does not give access to a file again. */
export const DRAFT_WITHOUT = 'We couldn’t keep passwords and photos that were waiting. Please add them again.';
export const STAYS_HERE =
  'The connection was lost. The gallery may already exist; saving again won’t create a second one.';
export const savingGallery = (place: number, total: number) => `Saving ${place} of ${total}...`;

/** The limit of galleries per page; more need a file. */
export const MAX_GALLERIES = 20;
