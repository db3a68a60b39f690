/** A search by number that finds nothing (athletes B.3). */

export const noPhotoOfNumber = (number: string) => `No photo of number ${number} here yet.`;
