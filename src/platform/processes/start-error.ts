import { ConfigError } from '#src/platform/config/config.ts';

/** The start cannot continue; the message is one sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The last words of a start that failed: the sentence where one was meant for people, everything otherwise. */
export function describeFailedStart(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
