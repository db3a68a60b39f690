/**
 * Example values for the API's document: generated from each schema, with values that fit the field's name.
 * `tests/openapi.test.ts` parses each.
 */

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maxItems?: number;
  propertyNames?: JsonSchema;
};

const MOMENT = '2026-11-21T14:05:00.000Z';
const ID = 42;

/** By the end of a field's name; the first match wins. */
const TEXTS: readonly (readonly [name: RegExp, text: string])[] = [
  [/phone_number$/, '608 555 0142'],
  [/^(email|.*_email|email_address|recipient|contact)$/, 'maria@families.example'],
  [/(_at|^at|_since|untold|timestamp|last_sign_in|secret_until|^paid_until|^sales_(from|to))$/, MOMENT],
  [/^(month|after_month)$/, '2026-10'],
  [/^(start_date|end_date)$/, '10/31/2026'],
  [/(day|date|until|ends_on|send_on|^from|^to)$/, '2026-11-21'],
  [/^first_name$/, 'Maria'],
  [/^(affiliateOrg|affiliateName|company_name)$/, 'Hawks Soccer Club'],
  [/^last_name$/, 'Jensen'],
  [/^(buyer|actor|contact_name|owner|(.*_)?by)$/, 'Maria Jensen'],
  [/password/, 'orange-river-9'],
  [/^(domain_name|domainName|affiliate|path)$/, 'hawks-soccer'],
  [/(url|site|address|link|location|instagram_url)$/i, 'https://lakeside.example.com/hawks-soccer'],
  [/^sha256$/, 'a3'.repeat(32)],
  [/^(client_key|refund_key)$/, '2f1c0d9e-5b7a-4c3d-8e6f-1a2b3c4d5e6f'],
  [/^(contributeKey|contribute_key|collabKey|unlock_key)$/, 'q7Jx0uVbT2mYd9LkR4sWcA'],
  [/^checkout_key$/, 'b3'.repeat(16)],
  [/^(vanity_id|vanityId)$/, 'Yq3vT0mZc8LrXw5Kd1NbPA'],
  [/^order_key$/, 'k4Zt8QmW2xVbN6rYs1LcDg'],
  [/^(key|image_key)$/, 'uploads/3/42/0f1e2d3c4b5a69788796a5b4c3d2e1f0.jpg'],
  [/^reset_password_token$/, 'Zk3vQ8mT1xYb7LrWd5NcPs0GhJ2uKf4RaE6oViMtXyQ'],
  [/^token$/, 'sideline_Zk3vQ8mT1xYb7LrWd5NcPs0GhJ2uKf4RaE6oViMtXyQ'],
  [/^stripe_token$/, 'tok_1Q2w3E4r5T6y7U8i'],
  [/^ending$/, 'tXyQ'],
  [/^filename$/, 'IMG_0042.jpg'],
  [/^(keywords?|tag)$/, '7'],
  [/(^|_)zip(_prefix)?$/, '53703'],
  [/(^|_)state$/, 'WI'],
  [/_city$/, 'Madison'],
  [/^jurisdiction$/, 'Wisconsin'],
  [/^tax_text$/, 'Wisconsin sales tax, 5.5%'],
  [/^currency$/, 'usd'],
  [/color/, '#0B6E6E'],
  [/^time_zone$/, 'America/Chicago'],
  [/^thumbhash$/, '1QcSHQRnh493V4dIh4eXh1h4kJUI'],
  [/^number$/, '4242424242424242'],
  [/^cvc$/, '123'],
  [/last4$/, '4242'],
  [/^(card_)?brand$/, 'visa'],
  [/^code$/, 'ABCD-EFGH-JKMN-PQRS'],
  [/^promo_code$/, 'TIDES20'],
  [/^(team|new_team)$/, 'U12 Girls'],
  [/^(reference|external_id|event_id|object_id)$/, '2026-1042'],
  [/^instagram$/, 'hawks.soccer'],
  [/^goal_description$/, 'New goals for the west field'],
  [/^(revenue|additional_donation)$/, '$4.00'],
  [/^ip$/, '203.0.113.7'],
  [/^label$/, 'Number 7'],
  [/^(line|text)$/, '3 photos for $10.00'],
  [/^(reason|note|message|problem|error|question)$/, 'The photo shows someone else.'],
  [/name$/i, 'Spring Cup Final'],
];

const NUMBERS: readonly (readonly [name: RegExp, value: number])[] = [
  [/(price|amount|subtotal|total|sales|donation|balance|net|share|fees?|refunded|disputed)/, 4],
  [/^tax|rate$/, 0],
  [/^exp_month$/, 11],
  [/^exp_year$/, 2040],
  [/width$/, 2400],
  [/height$/, 1600],
];

const FORMATS: Record<string, string> = {
  email: 'maria@families.example',
  uuid: '2f1c0d9e-5b7a-4c3d-8e6f-1a2b3c4d5e6f',
  uri: 'https://lakeside.example.com/hawks-soccer',
  'date-time': MOMENT,
  date: '2026-11-21',
};

const isId = (name: string) => /(^id|_id|Id)$/.test(name);
const typesOf = ({ type }: JsonSchema): readonly string[] => [type ?? []].flat();

function textFor(schema: JsonSchema, name: string): string {
  const known = TEXTS.find(([fits]) => fits.test(name))?.[1];
  return known ?? FORMATS[schema.format ?? ''] ?? 'text';
}

/** Null if the name does not suggest a number. */
function numberFor({ minimum = 0 }: JsonSchema, name: string): number | null {
  if (isId(name)) return ID;
  const known = NUMBERS.find(([fits]) => fits.test(name))?.[1];
  return known === undefined ? null : Math.max(minimum, known);
}

/** @param whole all fields (an answer), or only required ones (a body) */
export function exampleOf(schema: JsonSchema, { name = '', whole }: { name?: string; whole: boolean }): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== null && value !== '') ?? null;
  if (schema.default !== undefined && typeof schema.default !== 'object') return schema.default;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.some((each) => typesOf(each).includes('number')) && numberFor(schema, name) !== null)
    return numberFor(schema, name);
  if (choices) {
    const choice = choices.find((each) => !typesOf(each).includes('null')) ?? choices[0];
    return exampleOf(choice ?? {}, { name, whole });
  }
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => exampleOf(part, { name, whole }));
    return Object.assign({}, ...parts) as unknown;
  }
  const types = typesOf(schema);
  if (types.includes('object') || schema.properties) return objectOf(schema, whole);
  if (types.includes('array')) return listOf(schema, name, whole);
  const number = types.includes('number') || types.includes('integer') ? numberFor(schema, name) : null;
  if (number !== null) return number;
  if (types.includes('string')) return textFor(schema, name);
  if (types.includes('number') || types.includes('integer')) return Math.max(schema.minimum ?? 0, 3);
  if (types.includes('boolean')) return true;
  return types.includes('null') ? null : 'text';
}

function objectOf(schema: JsonSchema, whole: boolean): unknown {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const fields = Object.entries(properties).filter(
    ([name, part]) => whole || required.includes(name) || part.default !== undefined,
  );
  const known = fields.map(([name, part]) => [name, exampleOf(part, { name, whole })]);
  if (known.length === 0 && typeof additionalProperties === 'object')
    return Object.fromEntries(
      (propertyNames?.enum ?? [ID]).map((name) => [String(name), exampleOf(additionalProperties, { whole })]),
    ) as unknown;
  return Object.fromEntries(known) as unknown;
}

function listOf({ items, maxItems }: JsonSchema, name: string, whole: boolean): unknown[] {
  if (maxItems === 0 || typeof items !== 'object') return [];
  return [exampleOf(items, { name: name === 'ids' ? 'id' : name.replace(/s$/, ''), whole })];
}
