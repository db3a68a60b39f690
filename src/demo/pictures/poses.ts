/** All poses of the demo by name. */
import { besidePoses } from './poses-beside.ts';
import { matchPoses } from './poses-match.ts';
import { poolPoses } from './poses-pool.ts';

export const poses = { ...matchPoses, ...besidePoses, ...poolPoses };
export type PoseName = keyof typeof poses;
