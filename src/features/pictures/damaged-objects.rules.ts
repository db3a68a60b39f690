/** Where a damaged original that could not be repaired is put aside. No check looks there, and it goes when its original would. */
export const asideKey = (key: string) => `damaged/${key}`;

export const isOriginal = (key: string) => key.startsWith('originals/');
