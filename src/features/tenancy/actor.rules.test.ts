import { describe, expect, test } from 'vitest';
import {
  mayEdit,
  requireEditor,
  requirePlatformAdmin,
  type Actor,
  type SignedIn,
} from '#src/features/tenancy/actor.rules.ts';

const user = (roleId: 1 | 2, memberships: SignedIn['memberships']): SignedIn => ({
  kind: 'user',
  userId: 7,
  roleId,
  memberships,
  sessionHash: Buffer.alloc(32),
  confirmedAt: new Date(0),
});
const HAWKS = { organizationId: 12, parentOrganizationId: 10 };

const ACTORS: [string, Actor, boolean][] = [
  ['a visitor', { kind: 'visitor' }, false],
  ['an administrator of the organization', user(1, [{ organizationId: 12, role: 2 }]), true],
  ['a plain member of the organization', user(1, [{ organizationId: 12, role: 1 }]), false],
  ['an administrator of the parent', user(1, [{ organizationId: 10, role: 2 }]), true],
  ['an administrator of a neighbor', user(1, [{ organizationId: 13, role: 2 }]), false],
  ['someone without organization', user(1, []), false],
  ['a platform admin', user(2, []), true],
  [
    'a contributor of a gallery there',
    { kind: 'contributor', keyHash: Buffer.alloc(32), galleryId: 1, organizationId: 12 },
    false,
  ],
  ['the system', { kind: 'system', why: 'test' }, true],
];

describe('who may edit what the Hawks own', () => {
  test.each(ACTORS)('%s', (_who, actor, allowed) => {
    expect(mayEdit(actor, HAWKS)).toBe(allowed);
  });

  test('an administrator of a child may not edit the parent', () => {
    expect(
      mayEdit(user(1, [{ organizationId: 12, role: 2 }]), { organizationId: 10, parentOrganizationId: null }),
    ).toBe(false);
  });

  test('a visitor gets 401, and a member of another organization 404', () => {
    const refusal = (actor: Actor) => {
      try {
        requireEditor(actor, HAWKS);
        return null;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(refusal({ kind: 'visitor' })).toBe('unauthenticated');
    expect(refusal(user(1, [{ organizationId: 13, role: 2 }]))).toBe('not_found');
    expect(refusal(user(2, []))).toBeNull();
  });
});

test.each<[string, Actor, string | null]>([
  ['a visitor', { kind: 'visitor' }, 'unauthenticated'],
  ['an administrator of an organization', user(1, [{ organizationId: 12, role: 2 }]), 'forbidden'],
  ['a platform admin', user(2, []), null],
])('what belongs to the platform: %s', (_who, actor, refusal) => {
  let heard: string | null = null;
  try {
    requirePlatformAdmin(actor);
  } catch (error) {
    heard = (error as { code: string }).code;
  }
  expect(heard).toBe(refusal);
});
