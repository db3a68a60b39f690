/** Parses CHANGELOG.md for the page: releases with headings and points. */

export type ReleaseNotes = {
  /** `0.3.0`, or `Unreleased`. */
  name: string;
  /** As 2026-11-23; null for unreleased changes. */
  date: string | null;
  groups: { heading: string | null; points: string[] }[];
};

/** Parses the changelog, and ignores lines that are neither a heading nor a point nor continue one. */
export function readChangelog(text: string): ReleaseNotes[] {
  const releases: ReleaseNotes[] = [];
  for (const line of text.split('\n')) {
    const release = releases.at(-1);
    const title = /^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?$/.exec(line);
    if (title) releases.push({ name: title[1] ?? '', date: title[2] ?? null, groups: [] });
    else if (release) addLine(release, line);
  }
  return releases;
}

function addLine({ groups }: ReleaseNotes, line: string): void {
  const heading = /^### (.+)$/.exec(line)?.[1];
  if (heading !== undefined) return void groups.push({ heading, points: [] });
  const point = /^- (.+)$/.exec(line)?.[1];
  if (point !== undefined) {
    if (groups.length === 0) groups.push({ heading: null, points: [] });
    return void groups.at(-1)?.points.push(plain(point));
  }
  const more = /^ {2}(\S.*)$/.exec(line)?.[1];
  const points = groups.at(-1)?.points;
  if (more !== undefined && points !== undefined && points.length > 0) points.push(`${points.pop()} ${plain(more)}`);
}

/** Without the markup of code and links. */
const plain = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');

/** What may be new to an operator: unreleased changes, and the running release. */
export function notesOf(releases: readonly ReleaseNotes[], version: string): ReleaseNotes[] {
  return releases.filter(({ name, groups }) => (name === 'Unreleased' && groups.length > 0) || name === version);
}
