/**
 * `npm run migrate`: migrates the database to this version and exits; a start of the embedded database does it
 * automatically.
 */
process.env.ROLE = 'migrate';
await import('#src/main.ts');

export {};
