import { expect, test } from 'vitest';
import { ConfigError } from '#src/platform/config/config.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { problem } from '#src/shared/problem.ts';

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);
const refused = failure('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED', syscall: 'connect' });

test.each([
  [new StartError('Stop it.'), 'Stop it.'],
  [new ConfigError('PORT must be a number.'), 'PORT must be a number.'],
  [refused, 'The database does not answer: connect ECONNREFUSED 127.0.0.1:1.'],
  [new AggregateError([refused, refused]), 'The database does not answer: connect ECONNREFUSED 127.0.0.1:1.'],
  [
    failure('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
    'The database does not answer: getaddrinfo ENOTFOUND db.',
  ],
  [
    failure('sorry, too many clients already', { code: '53300' }),
    'The database has no space or no sessions left: sorry, too many clients already.',
  ],
  [
    failure('ENOSPC: no space left on device, write', { code: 'ENOSPC', syscall: 'write' }),
    'There is no space left: free some and try again (ENOSPC: no space left on device, write).',
  ],
  [
    failure("EACCES: permission denied, open '/a'", { code: 'EACCES', syscall: 'open' }),
    "This account may not use a file: EACCES: permission denied, open '/a'.",
  ],
  [
    failure('password authentication failed for user "sideline"', { code: '28P01' }),
    'The database refuses the connection: password authentication failed for user "sideline".',
  ],
  [
    failure('database "nodb" does not exist', { code: '3D000' }),
    'The database refuses the connection: database "nodb" does not exist.',
  ],
  [
    failure('The server does not support SSL connections'),
    'The database refuses the connection: The server does not support SSL connections.',
  ],
  [
    failure('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    'The database refuses the connection: self-signed certificate.',
  ],
  [
    problem('unavailable', 'Photos cannot be read.', { cause: new AggregateError([refused]) }),
    'Photos cannot be read. (connect ECONNREFUSED 127.0.0.1:1)',
  ],
  [problem('not_found', 'No account has this address.'), 'No account has this address.'],
])('a start that fails by %s says so in one sentence', (error, sentence) => {
  expect(describeFailedStart(error)).toBe(sentence);
});

test.each([failure('it broke'), failure('no such file, open', { code: 'ENOENT', syscall: 'open' })])(
  'a mistake of ours keeps its place in the code: %s',
  (error) => {
    expect(describeFailedStart(error)).toBe(error.stack);
  },
);
