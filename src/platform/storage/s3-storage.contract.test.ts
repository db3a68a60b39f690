import { describe, test } from 'vitest';
import { openS3Rig, whyNoS3 } from '#tests/support/storage-rig.ts';
import { testStorageContract } from '#tests/support/storage-contract.ts';

const reason = whyNoS3();
if (reason === null) testStorageContract('S3', openS3Rig);
else describe('S3 storage', () => test.skip(`a real store is not to be had here: ${reason}`, () => undefined));
