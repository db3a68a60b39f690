/**
 * Where a damaged original that could not be repaired is moved. No check reads it, and it is deleted when its original would
 * be.
 */
export const asideKey = (key: string) => `damaged/${key}`;

export const isOriginal = (key: string) => key.startsWith('originals/');
