/** The people and organizations of the demo, and what they own (README, "The demo"). Plain data; `fill-demo.ts` creates it. */

export const DEMO_PASSWORD = 'sideline-demo';
export const DEMO_PROMO_CODE = 'KICKOFF1';

export type DemoOrganization = {
  path: string;
  /** Path of the parent; null for its own host. */
  parent: 'www' | 'lakeside' | null;
  name: string;
  email: string;
  firstName: string;
  lastName: string;
  freeTier: boolean;
  primaryColor: string;
  taxId?: string;
  takesPromoCodes?: boolean;
  /** Its buyers' names, dates and addresses are in the platform's report. */
  reportsBuyerColumns?: boolean;
  /** Its galleries are examples on the product's home page (rule 52). */
  shownOnHomePage?: boolean;
  /** Files below `demo/pictures`. */
  logo?: string;
  homeImage?: string;
  sponsor?: { tablet: string; mobile: string; link: string };
};

export const DEMO_ADMIN = { email: 'admin@sideline.test', firstName: 'Alex', lastName: 'Rivera' };

export const DEMO_ORGANIZATIONS: readonly DemoOrganization[] = [
  {
    path: 'lakeside',
    parent: null,
    name: 'Lakeside Youth Sports',
    email: 'director@lakeside.test',
    firstName: 'Dana',
    lastName: 'Whitfield',
    freeTier: false,
    primaryColor: '#1F6F8B',
    taxId: '84-1182930',
    takesPromoCodes: true,
    reportsBuyerColumns: true,
    logo: 'lakeside-logo.png',
    homeImage: 'lakeside-home.jpg',
  },
  {
    path: 'hawks-soccer',
    parent: 'lakeside',
    name: 'Hawks Soccer Club',
    email: 'coach@hawks.test',
    firstName: 'Marcus',
    lastName: 'Bell',
    freeTier: false,
    primaryColor: '#0B6E6E',
    taxId: '84-5512077',
    shownOnHomePage: true,
    logo: 'hawks-logo.png',
    sponsor: { tablet: 'bakery-728x90.png', mobile: 'bakery-300x250.png', link: 'https://bakehouse.example/menu' },
  },
  {
    path: 'tides-swim',
    parent: 'lakeside',
    name: 'Tides Swim Team',
    email: 'swim@tides.test',
    firstName: 'Priya',
    lastName: 'Nair',
    freeTier: true,
    primaryColor: '#E2604A',
    shownOnHomePage: true,
  },
  {
    path: 'maple-street-pto',
    parent: 'www',
    name: 'Maple Street PTO',
    email: 'pto@maple.test',
    firstName: 'Jordan',
    lastName: 'Lee',
    freeTier: true,
    primaryColor: '#7A5C2E',
  },
];

export type DemoGallery = {
  owner: string;
  name: string;
  /** Folder below `demo/pictures`, and the gallery's key in the catalog. */
  pictures: string;
  price_per_photo: number;
  photos_by: string;
  display_watermark: boolean;
  is_private?: boolean;
  password?: string;
  display_goal?: boolean;
  goal_description?: string;
  target_goal?: number;
  allow_voting?: boolean;
  allow_public_contributions?: boolean;
  inactive?: boolean;
  /** Title of the picture that is first. */
  featured?: string;
  /** Titles of the pictures; absent: all of the folder. */
  only?: readonly string[];
};

export const DEMO_GALLERIES: readonly DemoGallery[] = [
  {
    owner: 'hawks-soccer',
    name: 'Old Season',
    pictures: 'old-season',
    price_per_photo: 3,
    photos_by: 'Marcus Bell',
    display_watermark: true,
    inactive: true,
  },
  {
    owner: 'hawks-soccer',
    name: 'Season Opener',
    pictures: 'spring-cup-final',
    only: [
      'First Touch of the Day',
      'Down the Wing',
      'Shoulder to Shoulder',
      'Throw-in',
      'Number 23',
      'Twelve Steps',
      'The Winner',
      'Across the Wet Grass',
    ],
    price_per_photo: 4,
    photos_by: 'Rosa Delgado',
    display_watermark: true,
  },
  {
    owner: 'hawks-soccer',
    name: 'Board Only',
    pictures: 'board-only',
    price_per_photo: 2,
    photos_by: 'Dana Whitfield',
    display_watermark: true,
    is_private: true,
  },
  {
    owner: 'hawks-soccer',
    name: 'Fan Photos',
    pictures: 'fan-photos',
    price_per_photo: 0,
    photos_by: 'Hawks families',
    display_watermark: false,
  },
  {
    owner: 'hawks-soccer',
    name: 'Team Portraits',
    pictures: 'team-portraits',
    price_per_photo: 8,
    photos_by: 'Rosa Delgado',
    display_watermark: true,
    password: 'goalkeeper',
  },
  {
    owner: 'hawks-soccer',
    name: 'Spring Cup Final',
    pictures: 'spring-cup-final',
    featured: 'All on Top',
    price_per_photo: 4,
    photos_by: 'Rosa Delgado',
    display_watermark: true,
    display_goal: true,
    goal_description: 'New goals for the under-10s',
    target_goal: 1200,
    allow_voting: true,
    allow_public_contributions: true,
  },
  {
    owner: 'tides-swim',
    name: 'Dual Meet',
    pictures: 'dual-meet',
    price_per_photo: 2,
    photos_by: 'Priya Nair',
    display_watermark: true,
  },
];

/** Sold by a price sheet from today on, and cheaper with a code; all other galleries sell single photos. */
export const DEMO_PRICE_SHEET = {
  owner: 'tides-swim',
  gallery: 'Dual Meet',
  sheet: {
    name: 'Bundles and passes',
    offers: [
      { kind: 'bundle', photos: 3, price: 5 },
      { kind: 'bundle', photos: 5, price: 7.5 },
      { kind: 'gallery_pass', price: 20 },
    ],
  },
  coupon: { code: 'TIDES20', kind: 'percent', value: 20, max_uses: 200, max_per_person: 1 },
} as const;

/** The gallery in which athletes are tagged: found by number, and sold with a pass for all photos of one. */
export const DEMO_NUMBERS = {
  owner: 'hawks-soccer',
  gallery: 'Season Opener',
  team: 'Hawks U12',
  sheet: {
    name: 'Season prices',
    offers: [
      { kind: 'bundle', photos: 3, price: 10 },
      { kind: 'athlete_pass', price: 15 },
    ],
  },
  /** Codes of family cards, by number on the team (README). */
  codes: { '10': 'HAWKSMAYA2', '7': 'HAWKSADA77' },
} as const;

export type DemoOrder = {
  daysAgo: number;
  gallery: string;
  photoCount: number;
  donationDollars: number;
  firstName: string;
  lastName: string;
  reconciled: boolean;
};

const FIRST = 'Maria James Aisha Tom Elena Chris Nora Sam Grace Diego Ruth Kevin Linh Paul Hannah Omar'.split(' ');
const LAST = 'Jensen Okafor Walsh Nguyen Ortiz Brooks Patel Kim Fischer Hughes Moreau Santos'.split(' ');
const CUP = 'Spring Cup Final';
/** Most families buy photos of the final. */
const GALLERIES = [CUP, CUP, CUP, CUP, 'Dual Meet', 'Fan Photos'];
const DONATIONS = [0, 0, 0, 5, 0, 10, 0, 0, 20, 0, 15];
const SPAN_DAYS = 60;

/** A small generator of uniform numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The demo's past orders, oldest first, over 60 days. The seed is fixed, so every demo has the same. */
export function planDemoOrders(count = 60, seed = 20_260_314): DemoOrder[] {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const orders = Array.from({ length: count }, (_, index) => {
    const daysAgo = SPAN_DAYS - (index * SPAN_DAYS) / count - random() * 0.9;
    return {
      daysAgo,
      gallery: pick(GALLERIES),
      photoCount: 1 + Math.floor(random() ** 2 * 5),
      donationDollars: pick(DONATIONS),
      firstName: pick(FIRST),
      lastName: pick(LAST),
      reconciled: daysAgo > 40 && random() < 0.7,
    };
  });
  return orders.sort((a, b) => b.daysAgo - a.daysAgo);
}
