/**
 * Starts a program without a network: a hole in a decoder then reaches no other machine, nor any program of this one.
 * By `unshare` of util-linux, which becomes the program; where there is none or the system allows no new namespaces (a container
 * without rights, the systemd unit), the program has the network of ours.
 */
import { spawnSync } from 'node:child_process';

const UNSHARE = '/usr/bin/unshare';
/** Of another user the namespace of the network is made within one of users, in which it stays the same user. */
const WAY = process.getuid?.() === 0 ? ['--net'] : ['--map-current-user', '--net'];

let isPossible: boolean | null = null;

/** Whether a program can be started so here; tried once. */
export function canCutOff(): boolean {
  isPossible ??=
    process.platform === 'linux' && spawnSync(UNSHARE, [...WAY, '--', UNSHARE, '--version'], { env: {} }).status === 0;
  return isPossible;
}

/** The words that start a program, without a network where that is possible; the process has the id of the program. */
export function withoutNetwork(program: string, words: readonly string[]): [program: string, words: string[]] {
  return canCutOff() ? [UNSHARE, [...WAY, '--', program, ...words]] : [program, [...words]];
}
