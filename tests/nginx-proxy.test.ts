/** `deploy/nginx.conf`, run by nginx itself where it is installed. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { has, readText, redirectOf } from '#tests/support/deploy-files.ts';
import { freePort } from '#tests/load/product.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=sideline.example -days 1';

/** A web process that answers with the headers of the request. Returns its port. */
async function runEcho(): Promise<number> {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** Runs the file until the test has ended, with our ports, certificate and folders. Returns its ports. */
async function runNginx(): Promise<{ plain: number; tls: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sideline-nginx-'));
  const at = (name: string) => path.join(folder, name);
  const [web, plain, tls] = [await runEcho(), await freePort(), await freePort()];
  execFileSync('openssl', [...CERTIFICATE.split(' '), '-keyout', at('key'), '-out', at('pem')], { stdio: 'ignore' });
  const site = readText('deploy/nginx.conf')
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replace('127.0.0.1:3000', `127.0.0.1:${web}`)
    .replace('/etc/ssl/sideline.pem', at('pem'))
    .replace('/etc/ssl/private/sideline.key', at('key'));
  const folders = TEMPORARY.map((name) => `${name}_temp_path ${at(name)};`).join('\n');
  writeFileSync(
    at('nginx.conf'),
    `daemon off; pid ${at('pid')}; error_log ${at('log')}; events {} http { access_log off;\n${folders}\n${site} }`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', at('nginx.conf')], { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => nginx.once('exit', resolve));
    nginx.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return { plain, tls };
}

/** The headers that the web process got; the status if it was not asked. */
const asked = (port: number, address: string): Promise<IncomingHttpHeaders | number> =>
  new Promise((resolve, reject) => {
    const headers = { host: 'hawks.sideline.example', 'x-forwarded-for': '1.2.3.4' };
    get({ port, path: address, headers, rejectUnauthorized: false }, (answer) => {
      if (answer.statusCode === 200) resolve(json(answer) as Promise<IncomingHttpHeaders>);
      else resolve(answer.resume().statusCode ?? 0);
    }).on('error', reject);
  });

test.runIf(has('nginx') && has('openssl'))('nginx passes on host, sender and scheme, and no figures', async () => {
  const { plain, tls } = await runNginx();
  await expect
    .poll(() => redirectOf(plain, 'hawks.sideline.example', '/a?b=1'))
    .toBe('https://hawks.sideline.example/a?b=1');
  expect(await asked(tls, '/a')).toMatchObject({
    host: 'hawks.sideline.example',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'https',
  });
  expect(await asked(tls, '/metrics')).toBe(404);
});
