/**
 * Starts a program without network access: an exploited decoder then reaches no other machine and no other program on
 * this one. Uses `unshare` of util-linux, which executes the program; if it is missing or the system allows no new
 * namespaces (a container without rights, the systemd unit), the program can use our network.
 */
import { spawnSync } from 'node:child_process';

const UNSHARE = '/usr/bin/unshare';
/** For users other than root, the network namespace is created within a user namespace, in which the user stays the same. */
const WAY = process.getuid?.() === 0 ? ['--net'] : ['--map-current-user', '--net'];

let isPossible: boolean | null = null;

/** Whether a program can be started this way; tried once. */
export function canCutOff(): boolean {
  isPossible ??=
    process.platform === 'linux' && spawnSync(UNSHARE, [...WAY, '--', UNSHARE, '--version'], { env: {} }).status === 0;
  return isPossible;
}

/** The command that starts a program, without a network if possible; the process has the program's id. */
export function withoutNetwork(program: string, words: readonly string[]): [program: string, words: string[]] {
  return canCutOff() ? [UNSHARE, [...WAY, '--', program, ...words]] : [program, [...words]];
}
