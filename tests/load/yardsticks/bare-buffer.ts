/** Yardstick of P6 and P7: Node's own server sending one buffer from memory. Takes the buffer's file, its type and its encoding; prints its port. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = '', type = '', encoding = ''] = process.argv.slice(2);
const bytes = readFileSync(file);
const headers = {
  'content-type': type,
  'content-length': bytes.length,
  ...(encoding === '' ? {} : { 'content-encoding': encoding }),
};
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
