/**
 * The tables of the specification as lists: every call of both sections 7 is answered by its own route, and every text
 * of both sections 8 is in the code word for word. Each module's own tests show that the right text comes at the right
 * time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

/** Paths as our routes write them; names of parameters do not matter. */
const CALLS = [
  'post /login',
  'post /password',
  'put /password',
  'get /users/current',
  'post /signup/',
  'post /api/v1/promocode/',
  'get /api/v1/organizations',
  'get /api/v1/organizations/{}',
  'get /api/v1/organizations/by_id/{}',
  'post /api/v1/organizations',
  'delete /api/v1/organizations/{}',
  'post /api/v1/organizations/sign_up',
  'get /api/v1/affiliates/{}',
  'put /api/v1/affiliates/{}',
  'get /api/v1/affiliates/{}/galleries',
  'post /api/v1/affiliates/{}/collaborator',
  'post /api/v1/affiliates/{}/reports',
  'get /api/v1/galleries/{}/full',
  'post /api/v1/galleries/',
  'put /api/v1/galleries/{}',
  'post /api/v1/galleries/{}/inactive',
  'post /api/v1/galleries/{}/update_ordering',
  'post /api/v1/galleries/{}/add_keywords',
  'delete /api/v1/galleries/{}/delete_keyword',
  'post /api/v1/galleries/{}/gallery_photos',
  'get /api/v1/galleries/{}/gallery_photos/{}',
  'put /api/v1/galleries/{}/gallery_photos/{}',
  'delete /api/v1/galleries/{}/gallery_photos/{}',
  'post /api/v1/galleries/{}/gallery_photos/{}/rotate',
  'post /api/v1/galleries/{}/gallery_photos/{}/add_like',
  'post /api/v1/galleries/{}/gallery_photos/{}/remove_like',
  'post /api/v1/contributor',
  'get /api/v1/check-key',
  'post /api/v1/policy',
  'post /api/v1/orders',
  'get /api/v1/orders/{}',
  'put /api/v1/orders/{}',
  'post /api/v1/orders/admin-report',
  'post /api/v1/orders/admin-report-csv.csv',
  'post /api/v1/orders/bulk-pay-out',
  'post /api/v1/charges/',
  'post /api/v1/talk-to-expert/',
];

const TEXTS = [
  'No Auth Header',
  'Please check your email for instructions on resetting your password. Please note, it may have been delivered to your spam folder.',
  'Password updated, re-directing you now.',
  'This Account information is taken. Please try a new email, or a new org name.',
  'This Account information is taken. Please try a new email or org name.',
  'Credit Card Added',
  'Upgraded Successfully',
  'URL Copied',
  'Can not copy',
  'There has been an error, please email ',
  'Please correct the following error(s):',
  'You have no items in your cart.',
  'Error saving user',
  'Error creating gallery',
  'Failed to create gallery. Please check the data and try again.',
  'Failed to fetch organizations.',
  'CSV Errors Detected',
  'This File cannot be Proceed',
  'Proceed with Valid Rows',
  'Some users could not be created.',
  'Some galleries could not be created.',
  'Accounts Created Successfully!',
  'Galleries Saved Successfully',
  'Upload Successful',
  'Organization deleted successfully',
  'Failed to delete organization',
  'Error deleting organization',
  'Users Created Successfully!',
  'Galleries Created Successfully!',
  'Uploading your CSV...',
  'Upload successful!',
  'Failed to fetch organization details',
  'Failed to fetch affiliate details',
  'No user associated with this organization',
  'Unexpected response status: ',
  'Update failed',
  'Unable to reset affiliate data: Current user data is missing',
  'Validation failed',
  'Error rotating image. Please contact support.',
  'Error adding keyword. Please contact support.',
  'Error deleting keyword. Please contact support.',
  'Reporting Error — There may be no galleries, or sales associated with the query you chose.',
  'Error getting orgs. Please contact support.',
  'Error Saving Order #',
  // Validation texts of section 5 of the affiliate's part.
  'Please Upgrade to upload more than 500 photos.',
  'Gallery name required.',
  'Price per photo required.',
  'Password is required.',
  'Are you sure you want to delete this gallery? This cannot be undone.',
  'Are you sure you want to remove this photo? This cannot be undone.',
  'Remove Photo?',
  'Are you sure you want to delete this keyword?',
  'Confirm User Deletion',
  'All forms must agree to the Terms of Service.',
  'Parent Organization is required for all forms.',
  'New Organization Name is required for all forms.',
  'Organization name is required',
  'Contact name is required',
  'Affiliate name (domain name) is required',
  'Cannot update password: No user associated with this organization',
  'Cannot update: Affiliate ID is missing',
  'Passwords do not match',
  'Missing or incorrect headers: ',
  'Invalid email format',
  'Password must be at least ',
  'Parent organization not found',
  'Price per photo must be a valid number',
  'Password is required when Password Required is true',
  'Please upload a CSV file only.',
  'File size exceeds 20MB.',
  'No file selected.',
  'Failed to read file.',
  'Failed to parse CSV.',
  'No valid rows found in CSV.',
  'Name is required.',
  'Email is required.',
  'Email required.',
  'Password required.',
];

/** Code without its comments: a text that is only in a comment is never shown. */
const code = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
  .map((entry) =>
    readFileSync(join(entry.parentPath, entry.name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
  )
  .join('\n');

describe('the specification', () => {
  test('has a route for every call', async () => {
    const answer = await server.call({ method: 'GET', url: '/api/openapi.json' });
    const { paths } = answer.json<{ paths: Record<string, Record<string, unknown>> }>();
    const known = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`),
      ),
    );
    expect(known.size).toBeGreaterThan(CALLS.length);
    expect(CALLS.filter((call) => !known.has(call))).toEqual([]);
  });

  test.each(TEXTS)('has the text “%s”', (text) => {
    expect(code.includes(text)).toBe(true);
  });
});
