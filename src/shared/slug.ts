/**
 * The path of an organization, made from its name (specification A§5): lower case, accents
 * and apostrophes removed, đ to d, words joined by hyphens.
 */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('đ', 'd')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’‘`]/g, '')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 63)
    .replace(/[-.]+$/, '');
}
