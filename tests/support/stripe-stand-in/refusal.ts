/** An answer with an error object, as Stripe documents it. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  /** Whether the endpoint had begun, so that the answer is stored under its key. */
  readonly isKept: boolean;

  constructor(status: number, error: Record<string, unknown>, isKept = false) {
    super(String(error['message']));
    this.status = status;
    this.error = error;
    this.isKept = isKept;
  }
}

export const invalid = (message: string, more: Record<string, unknown> = {}) =>
  new Refusal(400, { type: 'invalid_request_error', message, ...more });
export const missing = (what: string, id: string, param: string) =>
  new Refusal(param === 'id' || param === 'intent' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
