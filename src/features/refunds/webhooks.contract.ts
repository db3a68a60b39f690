/** What the card provider hears of us. */
export const BAD_SIGNATURE = 'The signature is missing, wrong or too old.';
export const EVENT_NOT_KEPT = 'The event could not be stored. Please send it again.';
