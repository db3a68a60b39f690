import { describe, expect, test } from 'vitest';
import {
  GALLERY_NAME_REQUIRED,
  GALLERY_PASSWORD_REQUIRED,
  GOAL_INVALID,
  PHOTOS_BY_REQUIRED,
  PRICE_INVALID,
  PRICE_REQUIRED,
} from '#src/features/galleries/galleries.contract.ts';
import {
  blankValues,
  bodyOf,
  changesOf,
  messagesInOrder,
  problemsOf,
  withField,
  withSeen,
  type GalleryValues,
} from '#src/features/gallery-editor/gallery-form.rules.ts';

const values = (changes: Partial<GalleryValues> = {}): GalleryValues => ({
  ...blankValues({ name: 'Hawks', default_photo_price: 2 }),
  name: 'Cup',
  ...changes,
});
const NEW = 7;

describe('a target (rule 59)', () => {
  const none = values({ target_goal: '', display_goal: false });
  test('that is the first switches the goal on, which can be switched off again', () => {
    const typed = withField(none, none, 'target_goal', '1500');
    expect(typed.display_goal).toBe(true);
    expect(changesOf(typed, none).gallery).toEqual({ target_goal: 1500, display_goal: true });
    const hidden = withField(typed, none, 'display_goal', false);
    expect(withField(hidden, none, 'target_goal', '15000').display_goal).toBe(false);
    // Sent explicitly, because the server would show it.
    expect(changesOf(hidden, none).gallery).toEqual({ target_goal: 1500, display_goal: false });
  });

  test('that is removed again switches it off, and a later one leaves it unchanged', () => {
    expect(withField(withField(none, none, 'target_goal', '1'), none, 'target_goal', '').display_goal).toBe(false);
    const hidden = values({ target_goal: '100.00', display_goal: false });
    const emptied = withField(hidden, hidden, 'target_goal', '');
    expect(withField(emptied, hidden, 'target_goal', '200').display_goal).toBe(false);
  });
});

describe('the settings of a gallery', () => {
  test.each<[string, Partial<GalleryValues>, number | null, string[]]>([
    ['all in order', {}, NEW, []],
    [
      'nothing filled in',
      { name: ' ', price_per_photo: '', photos_by: '', password_required: true },
      NEW,
      [GALLERY_NAME_REQUIRED, PRICE_REQUIRED, PHOTOS_BY_REQUIRED, GALLERY_PASSWORD_REQUIRED],
    ],
    [
      'the same of a gallery that is there',
      { name: ' ', price_per_photo: '', photos_by: '', password_required: true },
      null,
      [GALLERY_NAME_REQUIRED, PRICE_REQUIRED, PHOTOS_BY_REQUIRED, GALLERY_PASSWORD_REQUIRED],
    ],
    ['a price that is no amount', { price_per_photo: 'four' }, NEW, [PRICE_INVALID]],
    ['three decimals', { price_per_photo: '1.005' }, NEW, [PRICE_INVALID]],
    ['a price beyond $10,000', { price_per_photo: '10,000.01' }, NEW, [PRICE_INVALID]],
    ['free photos', { price_per_photo: '0' }, NEW, []],
    ['a goal in words', { target_goal: 'a lot' }, null, [GOAL_INVALID]],
    ['no goal', { target_goal: '' }, null, []],
    ['a goal of a new gallery, which has none', { target_goal: 'a lot' }, NEW, []],
    ['a password that is not required', { password_required: false, password: '' }, null, []],
  ])('with %s have all problems reported in order', (_what, changes, organizationId, messages) => {
    expect(messagesInOrder(problemsOf(values(changes), organizationId))).toEqual(messages);
  });

  test('are sent in dollars, the goal of existing galleries only', () => {
    expect(bodyOf(values({ price_per_photo: '$1,234.50' }), NEW)).toMatchObject({
      organization_id: NEW,
      price_per_photo: 1234.5,
    });
    expect(bodyOf(values(), NEW)).not.toHaveProperty('target_goal');
    expect(bodyOf(values({ target_goal: '250' }), null)).toMatchObject({ target_goal: 250 });
  });

  test('send only what was changed, and the values seen before', () => {
    const saved = values({ name: 'Cup', target_goal: '', password: '' });
    const typed = { ...saved, price_per_photo: '6', target_goal: '250', password: 'goal', allow_voting: true };
    expect(changesOf(typed, saved)).toEqual({
      gallery: { price_per_photo: 6, target_goal: 250, display_goal: false, password: 'goal', allow_voting: true },
      seen: { price_per_photo: 2, target_goal: 0, display_goal: false, password: '', allow_voting: false },
    });
    expect(changesOf(saved, saved)).toEqual({ gallery: {}, seen: {} });
  });

  test('show, after a conflict, what someone else saved', () => {
    const saved = values({ name: 'Cup', target_goal: '100.00' });
    expect(withSeen(saved, { name: 'Final', target_goal: 0, price_per_photo: 6, password: null, id: 7 })).toEqual({
      ...saved,
      name: 'Final',
      target_goal: '',
      price_per_photo: '6.00',
      password: '',
    });
    expect(withSeen(saved, undefined)).toEqual(saved);
  });
});
