import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from '#src/platform/processes/start-error.ts';

/** What an operator typed after a command, read by `parseArgs`. @throws StartError with what is wrong and the usage */
export function readCommandLine<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}
