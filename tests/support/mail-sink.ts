import { createServer, type AddressInfo } from 'node:net';

export type MailSink = {
  port: number;
  /** Whole messages, in the order in which they arrived. */ messages: string[];
  close(): void;
};

/** A mail server of forty lines: stores what it receives, or refuses it. */
export function openMailSink(refuses: () => boolean = () => false): Promise<MailSink> {
  const messages: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    let heard = '';
    socket.on('error', () => undefined);
    socket.write('220 sink\r\n');
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      for (;;) {
        const end = inData ? heard.indexOf('\r\n.\r\n') : heard.indexOf('\r\n');
        if (end < 0) return;
        const said = heard.slice(0, end);
        heard = heard.slice(end + (inData ? 5 : 2));
        if (inData) {
          messages.push(said);
          inData = false;
          socket.write('250 kept\r\n');
        } else if (/^DATA/i.test(said)) {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(said)) socket.end('221 bye\r\n');
        else socket.write(refuses() && /^RCPT/i.test(said) ? '451 try later\r\n' : '250 yes\r\n');
      }
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as AddressInfo).port, messages, close: () => void server.close() }),
    );
  });
}
