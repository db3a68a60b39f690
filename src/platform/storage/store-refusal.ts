/**
 * Refusals of uploads by S3's own codes, because programs written for S3 read
 * them.
 */
const STATUS = {
  AccessDenied: 403,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPolicyDocument: 400,
  MalformedPOSTRequest: 400,
  MaxPostPreDataLengthExceeded: 400,
  SignatureDoesNotMatch: 403,
} as const;

export type StoreRefusalCode = keyof typeof STATUS;

export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
  readonly code: StoreRefusalCode;
  readonly status: number;

  constructor(code: StoreRefusalCode, message: string) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
  }
}

/** Makes a refusal. */
export function refuseUpload(code: StoreRefusalCode, message: string): StoreRefusal {
  return new StoreRefusal(code, message);
}
