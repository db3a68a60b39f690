/** Texts of the gallery editor, and numbers of its pages (specification A§2, 4, 8). */

export const SAVE_NEW_GALLERY = 'Save Gallery';
export const SAVE_GALLERY = 'Save';
export const UPDATING = 'Updating...';
export const UPDATED = 'Success';
export const UPDATE_FAILED = 'Error!';
export const GALLERY_NOT_LOADED = 'The gallery could not be loaded.';
/** Of settings behind their closed toggle. */
export const UNSAVED_REMARK = 'unsaved changes';
export const LEAVE_QUESTION = 'Your changes to the settings of this gallery are not saved.';
/** A save button shows the result for this long (specification A§9). */
export const BUTTON_REVERT_MS = 1_000;
/** The editor loads a gallery's photos in pages of this size. */
export const EDITOR_PHOTOS_AT_ONCE = 50;
