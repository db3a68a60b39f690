/** A search by number that finds nothing (athletes B.3). */

export const noPhotoOfNumber = (number: string) => `No photo of number ${number} here yet.`;
export const TELL_ME_WHEN = 'Tell me when there is one';
