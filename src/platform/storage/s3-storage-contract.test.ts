import { expect, test } from 'vitest';
import { testStorageContract } from '#tests/support/storage-contract.ts';
import { openS3Rig, whyNoS3 } from '#tests/support/storage-rig.ts';

const reason = whyNoS3();
if (reason === null) testStorageContract('S3', openS3Rig);
else
  test('S3 storage against a real store', ({ skip }) => {
    skip(`no store is available here: ${reason}`);
    expect(reason).toBeNull();
  });
