/**
 * Every npm script runs this first: `node scripts/bootstrap.mjs [--build] PROGRAM [ARGUMENTS]`.
 *
 * Plain JavaScript without packages, because it must run on a fresh clone with whatever Node (>= 20.19) the machine
 * has. It installs from the lockfile when needed. It makes sure that the project's own Node 24 and the links of its
 * PostgreSQL are there, even if npm skips install scripts. It builds the pages when needed, and runs PROGRAM under
 * Node 24.
 */
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants as fsConstants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsFresh, markBuildFresh } from './bootstrap/build-state.mjs';
import { installIsFresh, linksAreMissing, markInstallFresh, postgresPackages } from './bootstrap/install-state.mjs';
import { withLock } from './bootstrap/lock.mjs';

const OLDEST_NODE = [20, 19];
const OWN_NODE_MAJOR = 24;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const ownNode = path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The start cannot continue; the message is for people. */
class Refusal extends Error {}

function say(text) {
  process.stderr.write(`Sideline: ${text}\n`);
}

/** The environment for npm and install scripts: without the outer npm's variables, and with a writable home. */
function toolEnvironment() {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^npm_(lifecycle|package|command|execpath|node_execpath|config_(local_prefix|prefix|global|omit|include|production|noproxy$))/i.test(
        name,
      )
    )
      env[name] = value;
  }
  // `npm ci` deletes the Node in node_modules, so none of it may be running then.
  const outside = (env.PATH ?? '').split(path.delimiter).filter((folder) => !path.resolve(folder).startsWith(modules));
  env.PATH = outside.join(path.delimiter);
  delete env.NODE_ENV;
  if (!mayWrite(env.HOME)) env.HOME = path.join(root, '.cache', 'home');
  if (!mayWrite(env.npm_config_cache ?? path.join(env.HOME, '.npm')))
    env.npm_config_cache = path.join(root, '.cache', 'npm');
  mkdirSync(env.HOME, { recursive: true });
  return env;
}

/** Whether a folder is writable, or can be created if it is missing: a service account often has no home. */
function mayWrite(folder) {
  if (!folder) return false;
  try {
    accessSync(folder, fsConstants.W_OK);
    return true;
  } catch (error) {
    return error.code === 'ENOENT' && path.dirname(folder) !== folder && mayWrite(path.dirname(folder));
  }
}

/** Runs a program to its end, its output on stderr; returns its exit code. */
function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], env: toolEnvironment(), ...options });
    child.once('error', (error) => {
      say(error.message);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 1)));
  });
}

async function install() {
  say('installing packages from the lockfile; the first time takes a minute or two');
  const isWindows = process.platform === 'win32';
  const code = await run(
    isWindows ? 'npm.cmd' : 'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
    { shell: isWindows },
  );
  if (code !== 0)
    throw new Refusal(`the packages could not be installed (npm ended with ${code}); its messages stand above`);
}

/** npm may skip install scripts (by its own setting, or a machine's policy); then we run the two that matter. */
async function finishInstall() {
  if (!existsSync(ownNode) && majorOf(process.versions.node) < OWN_NODE_MAJOR) {
    say(`fetching Node ${OWN_NODE_MAJOR}`);
    await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: path.join(modules, 'node') });
  }
  if (existsSync(ownNode)) chmodSync(ownNode, 0o755);
  for (const folder of postgresPackages(modules)) {
    if (!linksAreMissing(folder)) continue;
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
    if (linksAreMissing(folder))
      throw new Refusal(
        `the links of ${path.relative(root, folder)} could not be made; remove node_modules and start again`,
      );
  }
}

function majorOf(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

/** The project's own Node 24, else the machine's if it is new enough. */
function findNode() {
  if (existsSync(ownNode)) return ownNode;
  if (majorOf(process.versions.node) >= OWN_NODE_MAJOR) return process.execPath;
  throw new Refusal(
    `Node ${OWN_NODE_MAJOR} could not be fetched from the npm registry; install Node ${OWN_NODE_MAJOR} or newer on this machine, or let npm reach its registry`,
  );
}

async function build(node) {
  say('building the pages and the program');
  rmSync(path.join(root, 'build', '.sources'), { force: true });
  const pages = [path.join(modules, '@react-router', 'dev', 'bin.cjs'), 'build', '--logLevel', 'warn'];
  const program = [path.join(root, 'scripts', 'build-program.ts')];
  for (const [what, args] of Object.entries({ pages, program })) {
    const code = await run(node, args, { env: { ...toolEnvironment(), NODE_ENV: 'production' } });
    if (code !== 0)
      throw new Refusal(`the ${what} could not be built (the build ended with ${code}); its messages stand above`);
  }
}

async function prepare(withBuild) {
  const isReady = () =>
    installIsFresh(root) &&
    (existsSync(ownNode) || majorOf(process.versions.node) >= OWN_NODE_MAJOR) &&
    !postgresPackages(modules).some(linksAreMissing) &&
    (!withBuild || buildIsFresh(root));
  if (isReady()) return findNode();
  return withLock(path.join(root, '.cache', 'bootstrap.lock'), say, async () => {
    if (!installIsFresh(root)) await install();
    await finishInstall();
    markInstallFresh(root);
    const node = findNode();
    if (withBuild && !buildIsFresh(root)) {
      await build(node);
      markBuildFresh(root);
    }
    return node;
  });
}

/**
 * Replaces this process with the program if Node can do that (no second process, signals arrive directly), otherwise
 * starts it.
 */
function become(node, args) {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, '.cache', 'compiled'),
  };
  if (typeof process.execve === 'function' && process.platform !== 'win32') process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(child);
  child.once('error', (error) => {
    say(error.message);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 1);
  });
}

/** A killed npm cannot pass its end on; the program must not keep running on its port. */
function stopWithParent(child) {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    child.kill('SIGTERM');
  }, 500);
  look.unref();
}

async function main() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Refusal(
      `Node ${OLDEST_NODE.join('.')} or newer is needed to start, and this is ${process.versions.node}`,
    );
  }
  const args = process.argv.slice(2);
  const withBuild = args[0] === '--build';
  if (withBuild) args.shift();
  const [program, ...rest] = args;
  if (!program) throw new Refusal('usage: node scripts/bootstrap.mjs [--build] PROGRAM [ARGUMENTS]');
  const node = await prepare(withBuild);
  become(node, [path.join(root, program), ...rest]);
}

main().catch((error) => {
  say(error instanceof Refusal ? `${error.message}.` : (error.stack ?? String(error)));
  process.exitCode = 1;
});
