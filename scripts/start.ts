/** `npm start`: the product as people use it. React uses its fast build only with this NODE_ENV. */
process.env.NODE_ENV ??= 'production';
await import('#src/main.ts');

export {};
