/** `npm run migrate`: brings the database to this version and ends; a start of the embedded one does it by itself. */
process.env.ROLE = 'migrate';
await import('#src/main.ts');

export {};
