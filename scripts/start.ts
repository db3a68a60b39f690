/** `npm start`: the product as people use it. React decides by NODE_ENV whether it is the fast build. */
process.env.NODE_ENV ??= 'production';
await import('#src/main.ts');

export {};
