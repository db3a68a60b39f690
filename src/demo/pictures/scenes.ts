/** Every scene of the demo by gallery and file name. */
import type { DemoGallerySlug } from './catalogue.ts';
import type { Scene } from './render.ts';
import { autumnScenes } from './scenes-autumn.ts';
import { boardScenes } from './scenes-board.ts';
import { fanScenes } from './scenes-fans.ts';
import { eveningScenes } from './scenes-match-evening.ts';
import { morningScenes } from './scenes-match-morning.ts';
import { portraitScenes } from './scenes-portraits.ts';
import { swimScenes } from './scenes-swim.ts';

export const scenes: Readonly<Record<DemoGallerySlug, Readonly<Record<string, () => Scene>>>> = {
  'spring-cup-final': { ...morningScenes, ...eveningScenes },
  'team-portraits': portraitScenes,
  'fan-photos': fanScenes,
  'board-only': boardScenes,
  'old-season': autumnScenes,
  'dual-meet': swimScenes,
};
