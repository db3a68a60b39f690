/**
 * `npm run build`: installs and builds like `npm start`, and stops there: for an installation that will be read-only.
 */
console.log('Sideline is built. Start it with: node build/program/start.js');
