/** The fixed sizes in which every photo is made and shown (rule 2): pixels of the long side. */
export const RENDITION_SIZES = [320, 480, 640, 960, 1440] as const;
export type RenditionSize = (typeof RENDITION_SIZES)[number];
