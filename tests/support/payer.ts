/** Cards of the sandbox, traded for a token at its own door, as a page does. */
import type { TestHouse } from '#tests/support/test-house.ts';

export const GOOD_CARD = '4242424242424242';
export const DECLINED_CARD = '4000000000000002';
/** Is accepted by the form and refused by the bank. */
export const POOR_CARD = '4000000000009995';

/** The sandbox's whole answer for a card; calls take it as it is. */
export async function payWith(house: TestHouse, number = GOOD_CARD): Promise<{ id: string }> {
  const payload = { number, exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  const answer = await house.call({ method: 'POST', url: '/sandbox/tokens', payload });
  if (answer.statusCode !== 200) throw new Error(`the card was not taken: ${answer.body}`);
  return answer.json<{ id: string }>();
}
