/** How much of an athlete's name is shown next to photos, on cards and to their family. */

/** Both names are null once they were deleted. */
export type NamedAthlete = { id: number; firstName: string | null; lastName: string | null };

/** "Maya R.": as much of a name as cards, the family's pages and questions to members show. */
export function labelOf(athlete: NamedAthlete): string {
  if (athlete.firstName === null) return namelessLabel(athlete.id);
  const [initial = ''] = (athlete.lastName ?? '').trim();
  return initial === '' ? athlete.firstName : `${athlete.firstName} ${initial.toUpperCase()}.`;
}

/** After the name was deleted; the digits distinguish two athletes and reveal nothing. */
export const namelessLabel = (id: number): string => `Athlete ${id % 10_000}`;
