/** Takes one finished email to its mail transport: SMTP, or files below `DATA_DIR/outbox`. Rejects when it could not. */
export type Email = {
  to: string;
  /** Where an answer goes, when not to the sender. */
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  /** Becomes the Message-ID, so that an email sent twice is recognized as one. */
  dedupeKey: string;
};

export type MailTransport = {
  deliver(email: Email): Promise<void>;
  close(): Promise<void>;
};
