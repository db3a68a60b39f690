import { openDiskRig } from '#tests/support/storage-rig.ts';
import { testStorageContract } from '#tests/support/storage-contract.ts';

testStorageContract('disk', openDiskRig);
