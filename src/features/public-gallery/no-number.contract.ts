/** A search by number that finds nothing (athletes B.3). */

/** `team`: typed with the number, "Hawks 10". */
export const noPhotoOfNumber = (number: string, team?: string) =>
  `No photo of number ${number}${team === undefined ? '' : ` of ${team}`} here yet.`;
export const TELL_ME_WHEN = 'Tell me when there is one';
