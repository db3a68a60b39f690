/** Reads the files below `deploy/` like the programs that use them, and runs the balancer. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { freePort } from '#tests/load/product.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export const readText = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

/** A file of variables; `given` are those that an operator has filled in. */
export const readEnv = (name: string, given: Record<string, string> = {}): Record<string, string> => ({
  ...(parseEnv(readText(name)) as Record<string, string>),
  ...given,
});

export type Service = {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  read_only?: boolean;
  user?: string;
  cap_drop?: string[];
  depends_on?: Record<string, { condition: string }>;
};

/** Compose's `${NAME}`, `${NAME:-else}` and `${NAME:?message}`. */
function filled(text: string, env: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind?: string, other = '') => {
    const value = env[name] ?? '';
    if (value !== '' || kind === undefined) return value;
    if (kind === '?') throw new Error(`${name}: ${other}`);
    return other;
  });
}

/** The services of a compose file with these variables of `deploy/.env`. */
export function readServices(name: string, env: Record<string, string>): Record<string, Service> {
  const file = parse(filled(readText(name), env), { merge: true }) as { services: Record<string, Service> };
  return file.services;
}

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: unknown;
};

/** The manifests of a text of YAML; what has only comments is none. */
export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null);
}

/** The manifests of a rendered chart. */
export const readManifests = (name: string): Manifest[] => manifestsOf(readText(name));

/** If a tool is missing on this machine, its check is left to machines that have it. */
export const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** Runs the balancer of compose with a certificate of its own, at free ports, until the test has ended. Returns its port for plain http. */
export async function runTlsBalancer(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sideline-balancer-'));
  const [plainPort, tlsPort] = [await freePort(), await freePort()];
  const [config, certificate] = [path.join(folder, 'haproxy.cfg'), path.join(folder, 'certificate.pem')];
  writeFileSync(config, readText('deploy/compose.haproxy.cfg').replace('bind :443', `bind 127.0.0.1:${tlsPort}`));
  const how = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=sideline.test -days 1'.split(' ');
  execFileSync('openssl', [...how, '-keyout', certificate, '-out', certificate], { stdio: 'ignore' });
  const balancer = spawn('haproxy', ['-f', config], {
    env: { PATH: process.env.PATH, HTTP_PORT: `${plainPort}`, STORE_HOST: 'store.test', TLS_CERTIFICATES: certificate },
    stdio: 'ignore',
  });
  onTestFinished(() => {
    balancer.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return plainPort;
}

/** The address to which a request is redirected; null while no one answers. */
export const redirectOf = (port: number, host: string, address: string): Promise<string | null> =>
  new Promise((resolve) => {
    const request = get({ port, path: address, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.headers.location ?? null);
    });
    request.on('error', () => resolve(null));
  });

/**
 * A value to show to a validator, and afterwards the places of what it never looked at. Validators made from the schemas of
 * Kubernetes ask for each name that they know, and pass over all others in silence.
 */
export function withUnreadNames(value: unknown, place = ''): { shown: unknown; unread: () => string[] } {
  if (typeof value !== 'object' || value === null) return { shown: value, unread: () => [] };
  const parts = Object.entries(value).map(([name, part]) => {
    const at = `${place}/${name}`;
    return { name, at, ...withUnreadNames(part, at) };
  });
  const read = new Set<string | symbol>();
  const copy = Object.fromEntries(parts.map(({ name, shown }) => [name, shown]));
  const shown = new Proxy(Array.isArray(value) ? Object.values(copy) : copy, {
    get(target, name, receiver): unknown {
      read.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
  return { shown, unread: () => parts.flatMap(({ name, at, unread }) => (read.has(name) ? unread() : [at])) };
}

type Container = {
  name: string;
  image: string;
  env: { name: string; value: string }[];
  envFrom: { secretRef: { name: string } }[];
  ports?: { containerPort: number }[];
  volumeMounts: { mountPath: string }[];
  securityContext: Record<string, unknown>;
};

export type PodSpec = {
  containers: Container[];
  initContainers?: Container[];
  volumes: { configMap?: { name: string } }[];
  automountServiceAccountToken: boolean;
  securityContext: Record<string, unknown>;
};

/** The pods of deployments and jobs. */
export const podOf = (manifest: Manifest): PodSpec => (manifest.spec as { template: { spec: PodSpec } }).template.spec;
