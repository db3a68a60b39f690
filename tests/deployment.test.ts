/**
 * The files of `deploy/`, checked with the parsers and schemas of the programs that read them. Their settings are
 * passed to Sideline's own parser of settings. `npm run test:image` builds the image and starts its processes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as autoscaler } from 'kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler';
import { validate as job } from 'kubernetes-models/_schemas/IoK8sApiBatchV1Job';
import { validate as secret } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Secret';
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';
import { validate as ingress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress';
import { validate as disruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#src/platform/config/config.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import {
  has,
  manifestsOf,
  podOf,
  readEnv,
  readManifests,
  readServices,
  readText,
  redirectOf,
  runTlsBalancer,
  withUnreadNames,
  type Manifest,
} from '#tests/support/deploy-files.ts';
import { findHelm } from '../scripts/helm.ts';
import { chartCases, chartStamp, lintChart, renderChart } from '../scripts/render-chart.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SECRETS = {
  APP_SECRET: 'a'.repeat(64),
  METRICS_TOKEN: 'm'.repeat(64),
  POSTGRES_PASSWORD: 'p'.repeat(64),
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'word',
};
/** Ours, and Node's own for the CA of an operator. */
const KNOWN = new Set([...Object.keys(readEnv('.env.example')), 'NODE_EXTRA_CA_CERTS']);

/** What `npm start` runs when everything is built. */
const START = /--build (\S+)$/.exec(
  (JSON.parse(readText('package.json')) as { scripts: { start: string } }).scripts.start,
)?.[1];

describe('the container file', () => {
  const text = readText('deploy/Dockerfile');
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const all = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  test('is accepted by builders', () => {
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${JSON.stringify(message)}`)).toEqual(
      [],
    );
  });

  test('is built from Debian and npm alone, and runs without root', () => {
    expect(all('ARG')).toEqual(['BASE=docker.io/library/debian:trixie-slim', 'SIDELINE_COMMIT=']);
    expect(all('FROM')).toEqual(['${BASE} AS build', '${BASE}']);
    expect(all('ADD')).toEqual([]);
    expect(text).not.toMatch(/https?:|curl|wget/);
    expect(all('USER').at(-1)).toBe('10001:10001');
    expect(lines.findIndex((line) => line.startsWith('USER 10001'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('CMD ')),
    );
  });

  test('installs packages that the npm of Debian can read: it knows no alias as the value of an override', () => {
    expect(text).toMatch(/apt-get install .*\bnpm\b/);
    const { overrides = {} } = JSON.parse(readText('package.json')) as { overrides?: object };
    expect(JSON.stringify(overrides)).not.toContain('"npm:');
  });

  test('runs files that the image contains', () => {
    const commands = [...all('CMD'), ...all('HEALTHCHECK')].map((line) => /\[.*\]/.exec(line)?.[0] ?? '[]');
    const scripts = commands.map((command) => (JSON.parse(command) as string[])[1] ?? '');
    expect(scripts.toSorted()).toEqual([START, 'scripts/ask-ready.mjs']);
    expect(existsSync(path.join(ROOT, 'scripts/ask-ready.mjs'))).toBe(true);
  });

  test('copies only what .dockerignore allows', () => {
    const [first, ...rules] = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const allowed = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    for (const name of allowed) expect(existsSync(path.join(ROOT, name))).toBe(true);
    // Packages without a word about the library in them leave its notice to us.
    expect(allowed).toContain('NOTICE');
    expect(readText('NOTICE')).toContain('based in part on the work of the Independent JPEG Group.');
    expect(allowed.filter((name) => /data|env|node_modules|tests/.test(name))).toEqual([]);
  });
});

describe('the compose file', () => {
  const env = readEnv('deploy/env.example', SECRETS);
  const services = readServices('deploy/compose.yaml', env);
  const ours = Object.entries(services).filter(([, { image }]) => image === 'sideline:local');

  /** The findings of the compose schema and dclint; the order of keys is a matter of taste. */
  function complaintsOf(file: string): string[] {
    const off = [
      'service-keys-order',
      'services-alphabetical-order',
      'top-level-properties-order',
      'no-build-and-image',
    ];
    const rules = Object.fromEntries(off.map((rule) => [rule, 0 as const]));
    const results = new DCLinter({ rules, quiet: true, debug: false, exclude: [] }).lintFiles([file], false);
    return results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`));
  }

  test.each(['deploy/compose.yaml', 'deploy/compose.tls.yaml'])(
    '%s follows the schema and the rules of compose',
    (name) => {
      expect(complaintsOf(path.join(ROOT, name))).toEqual([]);
    },
  );

  test('an unknown key of compose is found', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sideline-compose-'));
    try {
      const file = path.join(folder, 'compose.yaml');
      writeFileSync(file, readText('deploy/compose.yaml').replace('read_only:', 'readonly:'));
      expect(complaintsOf(file).join()).toContain('must NOT have additional properties');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each(ours)('%s gets settings that Sideline accepts', (_name, { environment = {} }) => {
    const settings = { ...env, ...environment };
    const { role, databaseUrl, s3, smtpUrl, trustProxy } = readConfig(settings);
    expect(databaseUrl).toBe(`postgres://sideline:${SECRETS.POSTGRES_PASSWORD}@postgres:5432/sideline`);
    expect([s3?.endpoint, smtpUrl, trustProxy]).toEqual([
      'http://store.localhost:8080',
      'smtp://mail:1025',
      'uniquelocal',
    ]);
    expect(['web', 'worker', 'migrate']).toContain(role);
    expect(Object.keys(environment).filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  test.each(ours)('%s writes addresses that the balancer answers', (_name, { environment = {} }) => {
    const { baseDomain, sitePort } = readConfig({ ...env, ...environment });
    expect(siteUrl(siteOrigin(baseDomain, sitePort), 'www', '/')).toBe('http://www.sideline.localhost:8080/');
  });

  test('has each of our processes, without rights, and migrations before all', () => {
    expect(ours.map(([name]) => name).toSorted()).toEqual(['bucket', 'migrate', 'web-1', 'web-2', 'worker']);
    for (const [name, service] of ours) {
      expect(service).toMatchObject({ read_only: true, user: '10001:10001', cap_drop: ['ALL'] });
      if (!['bucket', 'migrate'].includes(name))
        expect(service.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
    }
    const [, script = ''] = services['bucket']?.command ?? [];
    expect(existsSync(path.join(ROOT, script))).toBe(true);
  });

  test('names what is missing from .env', () => {
    expect(() => readServices('deploy/compose.yaml', { ...env, POSTGRES_PASSWORD: '' })).toThrow(
      'set it in deploy/.env',
    );
  });

  test.runIf(has('haproxy')).each([
    ['without TLS', ''],
    ['with TLS', '/certs/'],
  ])('the balancer’s file is one that haproxy takes, %s', (_when, certificates) => {
    const checked = spawnSync('haproxy', ['-c', '-f', path.join(ROOT, 'deploy/compose.haproxy.cfg')], {
      env: { PATH: process.env.PATH, HTTP_PORT: '8080', STORE_HOST: 'store.localhost', TLS_CERTIFICATES: certificates },
      encoding: 'utf8',
    });
    // Certificates are not here; everything else must be right.
    const complaints = checked.stderr.split('\n').filter((line) => line.includes('[ALERT]'));
    expect(
      complaints.filter((line) => !/\/certs\/|errors? found in configuration|Error\(s\) found/i.test(line)),
    ).toEqual([]);
    if (certificates === '') expect(checked.status).toBe(0);
  });

  test.runIf(has('haproxy') && has('openssl'))('with TLS, http leads to https at its own port', async () => {
    const port = await runTlsBalancer();
    await expect.poll(() => redirectOf(port, 'hawks.test:8080', '/a?b=1')).toBe('https://hawks.test/a?b=1');
  });
});

type Values = Record<string, unknown>;
type Validator = { (data: unknown): boolean; errors?: { instancePath: string; keyword: string }[] | null };
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
const merged = (ours: Values, given: Values): Values => ({
  ...ours,
  ...Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const own = ours[name];
      return [name, isMap(own) && isMap(value) ? merged(own, value) : value];
    }),
  ),
});

describe('the chart', () => {
  test('installs the image of this release', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(parse(readText('deploy/chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  const KINDS: Record<string, Validator> = {
    'apps/v1 Deployment': deployment,
    'autoscaling/v2 HorizontalPodAutoscaler': autoscaler,
    'batch/v1 Job': job,
    'networking.k8s.io/v1 Ingress': ingress,
    'policy/v1 PodDisruptionBudget': disruptionBudget,
    'v1 Secret': secret,
    'v1 Service': service,
  };
  /** What the schema of Kubernetes says against a manifest, words that it does not know included: a cluster ignores those. */
  function complaintsOf(manifest: Manifest): string[] {
    const validate = KINDS[`${manifest.apiVersion} ${manifest.kind}`];
    if (!validate) return [`${manifest.apiVersion} ${manifest.kind} is none of ours`];
    const { shown, unread } = withUnreadNames(manifest);
    const isValid = validate(shown);
    const errors = (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`);
    return isValid ? unread().map((name) => `${name}: unknown`) : errors;
  }
  const defaults = parse(readText('deploy/chart/values.yaml')) as Values;
  const valuesOf = (name: string) => merged(defaults, parse(readText(`deploy/chart/ci/${name}`)) as Values);
  const takes = new Ajv({ strict: false }).compile(JSON.parse(readText('deploy/chart/values.schema.json')) as object);
  const least = valuesOf('made-secret-values.yaml');
  const helm = findHelm();

  describe.each(chartCases())('with %s', (name) => {
    const file = `deploy/chart/rendered/${name.replace('-values', '')}`;
    const manifests = readManifests(file);
    const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(podOf);

    test('was rendered from these templates; if not, run: npm run chart', () => {
      expect(readText(file).split('\n')[0]).toBe(chartStamp(name));
    });

    test.runIf(helm)('is what helm makes of it, and helm finds no fault with it', () => {
      expect(lintChart(helm ?? '', name)).toBe('');
      expect(renderChart(helm ?? '', name)).toBe(readText(file).split('\n').slice(1).join('\n'));
    });

    test('accepts these values', () => {
      expect([takes(valuesOf(name)), takes.errors]).toEqual([true, null]);
    });

    test.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
      '%s follows the schema of Kubernetes, and has no word that it does not know',
      (_title, manifest) => expect(complaintsOf(manifest)).toEqual([]),
    );

    test('runs every container without root, rights and token, on a read-only root file system', () => {
      expect(pods).toHaveLength(3);
      for (const { automountServiceAccountToken, securityContext, containers, initContainers = [] } of pods) {
        expect(automountServiceAccountToken).toBe(false);
        expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
        for (const container of [...initContainers, ...containers])
          expect(container.securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
      }
    });

    test('gives each container settings that Sideline accepts, and probes it where it answers', () => {
      const secrets = new Map(manifests.filter(({ kind }) => kind === 'Secret').map((one) => [one.metadata.name, one]));
      const image = Object.fromEntries(
        [...readText('deploy/Dockerfile').matchAll(/^(?:ENV| {3}) *([A-Z_]+)=(\S+)/gm)].map(
          ([, key = '', value = '']) => [key, value.replace(/^\$.*/, '')],
        ),
      );
      const roles = pods.flatMap(({ containers }) =>
        containers.map(({ env, envFrom, ports }) => {
          const [{ secretRef } = { secretRef: { name: '' } }] = envFrom;
          const kept = decoded(secrets.get(secretRef.name)) ?? { ...SECRETS, DATABASE_URL: 'postgres://h/db' };
          const given = Object.fromEntries(env.map((one) => [one.name, one.value]));
          expect(Object.keys(given).filter((one) => !KNOWN.has(one))).toEqual([]);
          const config = readConfig({ ...image, ...kept, ...given });
          const asked = { web: config.port, worker: config.workerPort, migrate: undefined }[config.role as 'web'];
          expect(ports?.[0]?.containerPort).toBe(asked);
          return config.role;
        }),
      );
      expect(roles.toSorted()).toEqual(['migrate', 'web', 'worker']);
    });

    test('shows every container the CA of the operator, if there is one', () => {
      const { configMap } = (valuesOf(name) as { privateCa: { configMap: string } }).privateCa;
      for (const { volumes, containers, initContainers = [] } of pods) {
        expect(volumes.flatMap((one) => one.configMap ?? [])).toEqual(configMap === '' ? [] : [{ name: configMap }]);
        for (const { env, volumeMounts } of [...initContainers, ...containers]) {
          const file = env.find((one) => one.name === 'NODE_EXTRA_CA_CERTS')?.value ?? null;
          expect(file).toBe(configMap === '' ? null : '/etc/private-ca/ca.crt');
          expect(volumeMounts.some(({ mountPath }) => mountPath === '/etc/private-ca')).toBe(configMap !== '');
        }
      }
    });

    test('runs migrations before everything, with a secret that exists by then', () => {
      const hooks = manifests.filter(
        ({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade',
      );
      expect(hooks.map(({ kind }) => kind)).toEqual(name.startsWith('existing') ? ['Job'] : ['Secret', 'Job']);
    });
  });

  test.each([
    ['a misspelled word', 'readOnlyRootFilesystem:', 'readOnlyRootFileSystem:', /readOnlyRootFileSystem: unknown$/],
    ['a kind of an older Kubernetes', 'apiVersion: policy/v1\n', 'apiVersion: policy/v1beta1\n', /is none of ours$/],
    ['a text for a number', 'containerPort: 3000', "containerPort: '3000'", /containerPort: type$/],
  ])('%s in a manifest is found', (_what, right, wrong, complaint) => {
    const text = readText('deploy/chart/rendered/made-secret.yaml').replace(right, wrong);
    expect(manifestsOf(text).flatMap(complaintsOf)).toEqual([expect.stringMatching(complaint)]);
  });

  test.each<[string, Values]>([
    ['no domain', { baseDomain: '' }],
    ['a domain with a scheme', { baseDomain: 'https://sideline.example' }],
    ['no bucket', { env: { S3_BUCKET: '' } }],
    ['a secret among the settings', { env: { S3_BUCKET: 'photos', STRIPE_SECRET_KEY: 'sk_test_abc' } }],
    ['neither a secret nor its name', { secrets: {} }],
    ['a secret and its name', { existingSecret: 'mine' }],
    [
      'a secret that Sideline would find too short',
      { secrets: { ...SECRETS, DATABASE_URL: 'x', APP_SECRET: 'short' } },
    ],
    [
      'a token that Sideline would find too short',
      { secrets: { ...SECRETS, DATABASE_URL: 'x', METRICS_TOKEN: 'short' } },
    ],
    [
      'a number that a template would write as 1e+07',
      { env: { S3_BUCKET: 'photos', PAYOUT_SECOND_APPROVAL_CENTS: 10_000_000 } },
    ],
    ['a word that it does not know', { web: { replica: 2 } }],
  ])('refuses %s', (_what, values) => {
    expect(takes({ ...least, ...values })).toBe(false);
  });

  test.runIf(helm)('refuses an autoscaler whose least is above its most, in one sentence, and takes equal ones', () => {
    const render = (least: number) => () =>
      renderChart(helm ?? '', 'made-secret-values.yaml', [`web.autoscaling.minReplicas=${least}`]);
    expect(render(8)).not.toThrow();
    expect(render(9)).toThrow('web.autoscaling.minReplicas is 9 and must not be above maxReplicas, which is 8.');
  });
});

function decoded(secret: Manifest | undefined): Record<string, string> | undefined {
  return (
    secret &&
    Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]),
    )
  );
}

describe('the systemd unit', () => {
  const unit = readText('deploy/systemd/sideline@.service');

  test('gets settings that Sideline accepts', () => {
    const env = readEnv('deploy/systemd/sideline.env.example', {
      APP_SECRET: SECRETS.APP_SECRET,
      DATA_DIR: tmpdir(),
    });
    for (const role of ['all', 'web', 'worker'])
      expect(readConfig({ ...env, ROLE: role })).toMatchObject({ baseDomain: 'sideline.example', demo: false });
    const [, program = ''] = /^ExecStart=\S+ (\S+)$/m.exec(unit) ?? [];
    expect(program).toBe(START);
    expect(Object.keys(env).filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  test.runIf(has('systemd-analyze'))('is accepted by systemd, and exposes little', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sideline-unit-'));
    try {
      const file = path.join(folder, 'sideline@all.service');
      copyFileSync(path.join(ROOT, 'deploy/systemd/sideline@.service'), file);
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      // Nothing is installed below /opt here.
      expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual([]);
      // In tenths; systemd calls up to 3.9 "ok".
      execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], { stdio: 'ignore' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
