/** Takes one finished letter to its post office: SMTP, or files below `DATA_DIR/outbox`. Rejects when it could not. */
export type Letter = {
  to: string;
  /** Where an answer goes, when not to the sender. */
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  /** Becomes the Message-ID, so that a letter sent twice is recognized as one. */
  dedupeKey: string;
};

export type PostOffice = {
  deliver(letter: Letter): Promise<void>;
  close(): Promise<void>;
};
