/** Import lines of a source, for the test of the architecture. */
type Import = { from: string; typeOnly: boolean };
export type Source = { path: string; text: string; imports: Import[] };

/** What a file imports by name, its lazy imports included. */
export function readImports(text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]/gm);
  const lazy = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g);
  return [
    ...[...statements].map((match) => ({
      from: match[3] ?? '',
      typeOnly: match[1] !== undefined || onlyTypes(match[2]),
    })),
    ...[...lazy].map((match) => ({ from: match[1] ?? '', typeOnly: false })),
  ];
}

function onlyTypes(clause: string | undefined): boolean {
  const names = clause?.match(/^\{([^}]*)\}$/)?.[1];
  if (names === undefined) return false;
  const parts = names
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => part.startsWith('type '));
}
