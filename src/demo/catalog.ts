/** The titles and subjects of the demo's photographs. The files are below `demo/pictures/<gallery>/`. */
type PictureEntry = {
  /** File below the gallery's folder. */
  readonly file: string;
  /** The photographer's title. */
  readonly name: string;
  /** Jersey numbers first. */
  readonly keywords: readonly string[];
  /** Local time of the capture, `YYYY-MM-DDTHH:MM:SS`, ascending in the order of the list. */
  readonly takenAt: string;
  /** EXIF orientation; 6 and 8 are stored sideways, as cameras do. */
  readonly orientation: 1 | 6 | 8;
};

type Line = readonly [scene: string, name: string, keywords: string, clock: string, orientation?: 6 | 8];
type Day = { readonly date: string; readonly lines: readonly Line[] };

const days = {
  'spring-cup-final': {
    date: '2026-05-16',
    lines: [
      ['01-fog-over-the-field', 'Fog Over the Field', '1, goalkeeper, fog, morning', '07:12'],
      ['02-first-touch-of-the-day', 'First Touch of the Day', '10, ball, warm-up', '07:41'],
      ['03-warm-up-lap', 'Warm-up Lap', '4, 7, 8, 10, 11, 15, 23, warm-up, team', '07:55'],
      ['04-keeper-warms-up', 'Keeper Warms Up', '1, goalkeeper, save, warm-up', '08:04'],
      ['05-huddle', 'Huddle', 'team, huddle, 11, 8', '08:31'],
      ['06-coach-explains', 'Coach Explains', '6, 8, 14, coach', '11:38'],
      ['07-coin-toss', 'Coin Toss', '4, 10, referee, captains', '11:56'],
      ['08-kick-off-from-the-stand', 'Kick-off from the Stand', '9, 10, kick-off, field, wide', '12:00'],
      ['09-down-the-wing', 'Down the Wing', '10, sprint', '12:07', 6],
      ['10-shoulder-to-shoulder', 'Shoulder to Shoulder', '4, 7, duel', '12:11'],
      ['11-throw-in', 'Throw-in', '3, throw-in', '12:14'],
      ['12-sliding-tackle', 'Over the Tackle', '6, 11, tackle', '14:02'],
      ['13-up-for-the-header', 'Up for the Header', '5, 9, header', '14:09'],
      ['14-full-stretch', 'Full Stretch', '1, goalkeeper, save', '14:15'],
      ['15-keeper-clears', 'Keeper Clears', '1, goalkeeper, punt', '14:18'],
      ['16-the-wall', 'The Wall', '10, free kick', '14:22'],
      ['17-corner-kick', 'Corner Kick', '11, corner kick', '14:27'],
      ['18-through-two', 'Through Two', '11, 3, 8, dribble', '15:33'],
      ['19-the-bench-holds-its-breath', 'The Bench Holds Its Breath', '2, 5, 12, 17, 21, bench, coach', '15:41'],
      ['20-fresh-legs', 'Fresh Legs', '14, 17, substitution, referee', '15:48'],
      ['21-half-time', 'Half-time', '4, 7, 8, 9, 10, 15, 23, coach, team', '15:55'],
      ['22-number-23', 'Number 23', '23, portrait', '16:20', 8],
      ['23-the-long-ball', 'The Long Ball', '8, pass', '16:31'],
      ['24-the-chase', 'The Chase', '9, 3, 5, sprint, sunset', '18:42'],
      ['25-the-shot', 'The Shot', '9, shot, goal', '18:44'],
      ['26-in-the-net', 'In the Net', '9, goal, goalkeeper, net', '18:44'],
      ['27-wings-out', 'Wings Out', '9, goal, celebration', '18:45'],
      ['28-all-on-top', 'All on Top', '9, 10, 7, 11, 4, 8, 15, goal, celebration', '18:45'],
      ['29-heads-down', 'Heads Down', '4, 5, goalkeeper', '18:46'],
      ['30-one-on-one', 'One on One', '1, 9, 4, goalkeeper', '19:22'],
      ['31-twelve-steps', 'Twelve Steps', '10, penalty, goalkeeper, lights', '20:31'],
      ['32-guessed-right', 'Guessed Right', '1, goalkeeper, save, penalty', '20:33'],
      ['33-the-winner', 'The Winner', '10, celebration, goal', '20:36'],
      ['34-across-the-wet-grass', 'Across the Wet Grass', '7, 8, 23, celebration', '20:36'],
      ['35-good-game', 'Good Game', '4, 7, 8, 10, 11, 23, handshake, team', '20:44'],
      ['36-the-cup', 'The Cup', '10, 9, 7, 4, 11, 8, 23, 1, trophy, team, coach', '20:58'],
    ],
  },
  'team-portraits': {
    date: '2026-04-11',
    lines: [
      ['01-the-team', 'The Team', 'team, coach, 2, 3, 4, 6, 7, 8, 9, 10, 11, 14, 15, 17, 23', '15:10'],
      ['02-arms-folded', 'Arms Folded', '4, 7, 9, 10, 11', '15:24'],
      ['03-goalkeeper', 'Goalkeeper', '1, goalkeeper', '15:31'],
      ['04-captain', 'Captain', '10, captain, studio', '15:50'],
      ['05-number-7', 'Number 7', '7, studio', '15:56'],
      ['06-with-the-ball', 'With the Ball', '11, ball', '18:20', 6],
      ['07-the-back-four', 'The Back Four', '2, 3, 4, 15, defence', '18:24'],
      ['08-on-the-bench', 'On the Bench', '6, 8, 14, 23, bench', '18:28'],
      ['09-coaches', 'Coaches', 'coach', '18:32'],
      ['10-walking-out', 'Walking Out', '1, 4, 7, 8, 9, 10, 11', '18:41'],
      ['11-champions', 'Champions', 'team, trophy, 23', '18:55'],
      ['12-two-sisters', 'Two Sisters', '5, 17', '19:02'],
    ],
  },
  'fan-photos': {
    date: '2026-05-16',
    lines: [
      ['01-the-whole-stand', 'The Whole Stand', 'bleachers, banner', '12:21'],
      ['02-behind-the-crowd', 'Behind the Crowd', 'bleachers', '18:40'],
      ['03-flags-at-the-fence', 'Flags at the Fence', 'flags, kids', '14:11'],
      ['04-breakfast-from-the-tailgate', 'Breakfast from the Tailgate', 'tailgate, breakfast', '08:12'],
      ['05-on-the-shoulders', 'On the Shoulders', 'kids, family', '18:47'],
      ['06-scarves-and-drums', 'Under the Lights', 'bleachers, lights, celebration', '20:37'],
      ['07-first-row', 'First Row', 'bleachers', '15:43'],
      ['08-under-the-bunting', 'Under the Bunting', 'tents, bunting', '11:22'],
    ],
  },
  'board-only': {
    date: '2026-06-05',
    lines: [
      ['01-the-award-table', 'The Award Table', 'trophies, medals', '17:40'],
      ['02-the-cup-alone', 'The Cup Alone', 'trophy', '17:44'],
      ['03-the-meeting', 'The Meeting', 'board, clubhouse', '18:15'],
      ['04-clubhouse-at-dusk', 'Clubhouse at Dusk', 'clubhouse', '20:48'],
      ['05-walking-the-line', 'Walking the Line', 'coach, field', '08:05'],
      ['06-plans-for-the-pitch', 'Plans for the Pitch', 'board, plans', '19:20'],
    ],
  },
  'old-season': {
    date: '2025-11-08',
    lines: [
      ['01-leaves-on-the-wing', 'Leaves on the Wing', '14, autumn', '14:05'],
      ['02-november-sun', 'November Sun', '6, 8, 2, autumn', '15:02'],
      ['03-cold-hands', 'Cold Hands', '17, 21, coach', '15:30'],
      ['04-last-goal-of-the-year', 'Last Goal of the Year', '7, goal, autumn', '15:41'],
    ],
  },
  'dual-meet': {
    date: '2026-06-20',
    lines: [
      ['01-eight-empty-lanes', 'Eight Empty Lanes', 'pool, morning', '07:20'],
      ['02-take-your-marks', 'Take Your Marks', 'start, blocks', '12:02'],
      ['03-off-the-blocks', 'Off the Blocks', 'start, dive', '12:02'],
      ['04-into-the-water', 'Into the Water', 'dive, lane 4', '12:40'],
      ['05-butterfly', 'Butterfly', 'butterfly, lane 4', '09:15'],
      ['06-under-the-flags', 'Under the Flags', 'backstroke, lane 3, lane 5', '12:52'],
      ['07-freestyle-lane-four', 'Freestyle, Lane Four', 'freestyle, lane 4', '13:20'],
      ['08-relay', 'Relay', 'relay, lane 4', '14:35'],
      ['09-touching-the-wall', 'Touching the Wall', 'finish, lane 5', '18:10'],
      ['10-the-team-on-deck', 'The Team on Deck', 'team, deck', '18:25'],
    ],
  },
} as const satisfies Readonly<Record<string, Day>>;

type DemoGallerySlug = keyof typeof days;
export const gallerySlugs = Object.keys(days) as readonly DemoGallerySlug[];

export const isGallerySlug = (text: string): text is DemoGallerySlug => Object.hasOwn(days, text);

/** The pictures of a gallery in the order in which they were taken; throws for a gallery that the demo does not have. */
export function picturesOf(gallery: string): readonly PictureEntry[] {
  if (!isGallerySlug(gallery)) throw new Error(`the demo has no pictures for ${gallery}`);
  const day: Day = days[gallery];
  return day.lines
    .map(([scene, name, keywords, clock, orientation], i): PictureEntry => ({
      file: `${scene}.jpg`,
      name,
      keywords: keywords.split(', '),
      takenAt: `${day.date}T${clock}:${String((i * 17) % 60).padStart(2, '0')}`,
      orientation: orientation ?? 1,
    }))
    .toSorted((a, b) => a.takenAt.localeCompare(b.takenAt));
}
