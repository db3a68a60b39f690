/** Recognizes the columns of a roster: by headings in English, Spanish, French and German, else by content (athletes B.3). */
import { COLUMN_TWICE, ROSTER_FIELDS, type RosterField } from '#src/features/roster-imports/roster-imports.contract.ts';
import { consentOf } from '#src/features/roster-imports/roster-rows.rules.ts';
import { foldName } from '#src/features/roster/roster.rules.ts';
import { isEmail } from '#src/shared/validators.ts';

/** The field of each column of the file; null for unused columns. */
type Columns = readonly (RosterField | null)[];

/** Headings, folded and without punctuation. */
const HEADINGS: Record<RosterField, string> = {
  first_name:
    'first name|firstname|first|given name|forename|player first name|athlete first name|student first name|child first name|nombre|nombres|primer nombre|nombre de pila|prenom|prenoms|vorname|rufname',
  last_name:
    'last name|lastname|last|surname|family name|player last name|athlete last name|student last name|child last name|last initial|apellido|apellidos|nom|nom de famille|nachname|familienname|zuname',
  name: 'name|full name|player|player name|athlete|athlete name|student|student name|child|child name|nombre completo|nombre y apellidos|jugador|jugadora|nom complet|nom et prenom|joueur|joueuse|spieler|spielerin|spielername|athlet|athletin|vollstandiger name',
  number:
    'number|no|n|nr|num|#|jersey|jersey number|jersey no|jersey #|uniform|uniform number|shirt number|bib|bib number|player number|numero|dorsal|camiseta|numero de camiseta|maillot|dossard|numero de maillot|nummer|trikot|trikotnummer|ruckennummer|startnummer',
  team: 'team|team name|squad|group|equipo|nombre del equipo|grupo|equipe|nom de l equipe|groupe|mannschaft|mannschaftsname|gruppe',
  season: 'season|temporada|saison',
  family_email:
    'email|e mail|email address|mail|family email|parent email|parent 1 email|parent 2 email|parents email|guardian email|mother email|father email|contact email|correo|correo electronico|correo de los padres|email de los padres|courriel|adresse email|adresse e mail|courriel des parents|email des parents|email eltern|e mail eltern|eltern email|eltern e mail|e mail adresse|elternmail',
  consent:
    'consent|photo consent|photo release|photo permission|media release|media consent|photo|photos|consentimiento|consentimiento de fotos|autorizacion|autorizacion de fotos|permiso|permiso de fotos|consentement|autorisation|autorisation photo|droit a l image|einwilligung|fotoeinwilligung|einverstandnis|zustimmung|fotoerlaubnis',
  external_id:
    'id|player id|athlete id|member id|membership id|membership number|registration id|registration number|student id|external id|identificador|matricula|licencia|numero de licencia|licence|numero de licence|identifiant|mitgliedsnummer|passnummer|spielerpass|kennung',
  included_photos:
    'included photos|photos included|free photos|fotos incluidas|photos incluses|photos comprises|inklusive fotos|fotos inklusive|enthaltene fotos',
};
const KNOWN = new Map(
  ROSTER_FIELDS.flatMap((field) => HEADINGS[field].split('|').map((heading) => [heading, field] as const)),
);

function plain(heading: string): string {
  const words = foldName(heading.replaceAll(/[_'’]/g, ' ')).replaceAll(/[^\p{L}\p{N}# ]/gu, ' ');
  return words.replaceAll(/ +/g, ' ').trim();
}

/** Recognizes "family_email", "Parent 1 E-mail:" and "PARENT EMAIL", and our own headings. */
function byHeading(heading: string): RosterField | null {
  const folded = plain(heading);
  const own = ROSTER_FIELDS.find((field) => plain(field) === folded);
  if (own) return own;
  const short = folded.replaceAll(/ (?:\d|optional|required)$/g, '');
  // German compounds are also written with hyphens: "Foto-Erlaubnis", "Rücken-Nummer".
  return KNOWN.get(folded) ?? KNOWN.get(short) ?? KNOWN.get(short.replaceAll(' ', '')) ?? null;
}

/** Whether a column of yes and no may be about photos; a yes to "opt out" means the opposite. */
const ABOUT_PHOTOS = /photo|foto|media|image|imagen|bild/;
const OPPOSITE = /\b(?:no|not|dont|opt|out|without|never|sin|sans|pas|refus|kein|keine|ohne|nicht)\b/;

function byContent(heading: string, cells: readonly string[]): RosterField | null {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length === 0) return null;
  const mostly = (is: (cell: string) => boolean) => filled.filter(is).length >= filled.length * 0.8;
  if (mostly((cell) => cell.split(';').every((part) => isEmail(part.trim())))) return 'family_email';
  const folded = plain(heading);
  if (ABOUT_PHOTOS.test(folded) && !OPPOSITE.test(folded) && mostly((cell) => consentOf(cell) !== undefined))
    return 'consent';
  if (mostly((cell) => /^#?\d{1,3}$/.test(cell))) return 'number';
  return null;
}

/** The columns of a file with these headings; `sample` has some of its rows. Only addresses may be in several. */
export function guessColumns(
  headings: readonly string[],
  sample: readonly (readonly string[])[],
): (RosterField | null)[] {
  const guessed = headings.map((heading) => byHeading(heading));
  // "Vorname, Name" and "Prénom, Nom": next to a first name, "name" is the last name.
  if (guessed.includes('first_name') && !guessed.includes('last_name') && guessed.includes('name'))
    guessed[guessed.indexOf('name')] = 'last_name';
  // A last-name column alone has the full name.
  if (!guessed.includes('first_name') && !guessed.includes('name') && guessed.includes('last_name'))
    guessed[guessed.indexOf('last_name')] = 'name';
  const taken = new Set<RosterField>();
  const once = (field: RosterField | null): RosterField | null => {
    if (field === null || (field !== 'family_email' && taken.has(field))) return null;
    taken.add(field);
    return field;
  };
  const named = guessed.map(once);
  return named.map((field, at) => field ?? once(byContentAt(headings, sample, at)));
}

const byContentAt = (headings: readonly string[], sample: readonly (readonly string[])[], at: number) =>
  byContent(
    headings[at] ?? '',
    sample.map((cells) => cells[at] ?? ''),
  );

/** Parses `first_name:0,team:2` for a file of this width; returns a sentence if it is wrong. */
export function readColumns(text: string, width: number): Columns | { error: string } {
  const columns = Array.from<RosterField | null>({ length: width }).fill(null);
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [field = '', place = ''] = part.split(':');
    if (field !== 'family_email' && columns.includes(field as RosterField)) return { error: COLUMN_TWICE };
    if (Number(place) < width) columns[Number(place)] = field as RosterField;
  }
  return columns;
}

export function writeColumns(columns: Columns): string {
  return columns.flatMap((field, at) => (field === null ? [] : [`${field}:${at}`])).join(',');
}

/** The cells of a record by field; several columns of addresses become one text. */
export function cellsOf(columns: Columns, record: readonly string[]): Record<string, string> {
  const cells: Record<string, string> = {};
  columns.forEach((field, at) => {
    const text = (record[at] ?? '').trim();
    if (field === null || text === '') return;
    cells[field] = field === 'family_email' && cells[field] !== undefined ? `${cells[field]}; ${text}` : text;
  });
  return cells;
}
