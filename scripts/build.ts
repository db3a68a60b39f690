/** `npm run build`: installs and builds, as `npm start` does, and stops there: for an installation that cannot be written later. */
console.log('Sideline is built. Start it with: node build/program/start.js');
