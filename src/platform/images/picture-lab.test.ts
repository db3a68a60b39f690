import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NOT_A_JPEG } from '#src/platform/images/header-check.ts';
import type { DevelopRequest } from '#src/platform/images/images.ts';
import { canCutOff } from '#src/platform/images/no-network.ts';
import { openPictureLab, type OpenPictureLab, type PictureLabOptions } from '#src/platform/images/picture-lab.ts';
import { develop } from '#src/platform/images/develop.ts';
import { programFile } from '#src/platform/program-files.ts';
import { exifSegment, iptcSegment, quartersJpeg, withSegments } from '#tests/support/pictures.ts';

const labs: OpenPictureLab[] = [];
afterEach(async () => {
  await Promise.all(labs.splice(0).map((lab) => lab.close()));
});

function open(options: Partial<PictureLabOptions> = {}): OpenPictureLab {
  const lab = openPictureLab({ concurrency: 1, ...options });
  labs.push(lab);
  return lab;
}

const small = await quartersJpeg(300, 200);
/** Keeps the process busy for a while. */
const large = await sharp({
  create: {
    width: 4000,
    height: 3000,
    channels: 3,
    background: 'gray',
    noise: { type: 'gaussian', mean: 128, sigma: 30 },
  },
})
  .jpeg({ progressive: true })
  .toBuffer();

function request(original: Buffer, change: Partial<DevelopRequest<Buffer>> = {}): DevelopRequest<Buffer> {
  return { original, turns: 0, watermark: { kind: 'text', text: 'Hawks' }, ...change };
}

async function* piecesOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

async function* unreadable(bytes: Buffer) {
  yield bytes.subarray(0, 1_000);
  throw new Error('EIO');
}

const until = (what: () => boolean) => vi.waitUntil(what, { timeout: 30_000, interval: 10 });

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('The picture lab', () => {
  it('returns from its process what the pipeline returns, facts and bytes', async () => {
    const original = withSegments(
      small,
      exifSegment({
        main: [
          [0x0110, 'Camera'],
          [0x0112, [6]],
        ],
        exif: [[0x9003, '2026:05:09 14:30:05']],
      }),
      iptcSegment([[25, 'Goal']]),
    );
    const mark = await sharp({ create: { width: 40, height: 40, channels: 4, background: 'red' } })
      .png()
      .toBuffer();
    for (const watermark of [
      { kind: 'text', text: 'Hawks' },
      { kind: 'image', png: mark, placement: 'tiled', name: 'Hawks' },
    ] as const) {
      const direct = await develop(request(original, { turns: 1, watermark }));
      expect(await open().develop(request(original, { turns: 1, watermark }))).toEqual(direct);
      expect(direct).toMatchObject({ ok: true, facts: { keywords: ['Goal'], exif: { model: 'Camera' } } });
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'halves a large picture while decoding it, as the pipeline does',
    async () => {
      const original = await quartersJpeg(3001, 301);
      const direct = await develop(request(original));
      expect(await open().develop(request(original))).toEqual(direct);
      // A whole decoding leaves other pixels, so the process did not fall back to it.
      const whole = await sharp(original).resize(1440, 144, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer();
      const raw = { raw: { width: 1440, height: 144, channels: 3 } } as const;
      const bytes = await sharp(whole, raw).jpeg({ quality: 78, optimiseCoding: false }).toBuffer();
      const clean = direct.ok && direct.renditions.find(({ size, mark }) => size === 1440 && mark === 'clean');
      expect(clean && clean.bytes.equals(bytes)).toBe(false);
    },
  );

  it('takes a file in pieces', async () => {
    const original = { bytes: small.length, pieces: piecesOf(small) };
    expect(await open().develop({ ...request(small), original })).toEqual(await develop(request(small)));
  });

  it('fails only the picture whose file breaks off, is longer than announced, or cannot be read', async () => {
    const lab = open();
    for (const [original, why] of [
      [{ bytes: small.length + 1, pieces: piecesOf(small) }, `after ${small.length} of`],
      [{ bytes: small.length - 1, pieces: piecesOf(small) }, 'broke off'],
      [{ bytes: small.length, pieces: unreadable(small) }, 'EIO'],
    ] as const) {
      await expect(lab.develop({ ...request(small), original })).rejects.toThrow(why);
      expect((await lab.develop(request(small))).ok).toBe(true);
    }
  });

  it('returns the reason for a file that is not a photo, and continues', async () => {
    const lab = open();
    const html = Buffer.from('<!doctype html>');
    const answers = await Promise.all([
      lab.develop(request(html)),
      lab.develop(request(small)),
      lab.develop(request(html)),
    ]);
    expect(answers.map((answer) => (answer.ok ? 'ready' : answer.problem))).toEqual([NOT_A_JPEG, 'ready', NOT_A_JPEG]);
    expect(lab.pids()).toHaveLength(1);
  });

  it('says once, for all its processes, that only sharp can encode here', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sideline-encoder-'));
    try {
      const program = path.join(folder, 'program.mjs');
      writeFileSync(
        program,
        `import { registerHooks } from 'node:module';
         registerHooks({ resolve(name, context, next) {
           if (name === '@julusian/jpeg-turbo') throw new Error('not built here');
           return next(name, context);
         } });
         await import(${JSON.stringify(programFile('picture-child'))});`,
      );
      const onSlowEncoder = vi.fn<() => void>();
      const direct = await develop(request(small));
      expect(await open({ onSlowEncoder }).develop(request(small))).toEqual(direct);
      expect(onSlowEncoder).not.toHaveBeenCalled();
      const lab = open({ concurrency: 2, onSlowEncoder, program });
      const answers = await Promise.all([lab.develop(request(small)), lab.develop(request(small))]);
      expect(lab.pids()).toHaveLength(2);
      expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
      expect(answers[0]).not.toEqual(direct);
      expect(onSlowEncoder).toHaveBeenCalledOnce();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('works on two at a time in two processes, in the order of the queue', async () => {
    const lab = open({ concurrency: 2 });
    const answers = await Promise.all(
      [large, small, small, large, small].map((original) => lab.develop(request(original))),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(lab.pids()).toHaveLength(2);
    expect(lab.usage().cpuMs).toBeGreaterThan(0);
    expect(lab.usage().peakBytes).toBeGreaterThan(30_000_000);
  });
});

describe('The process', () => {
  it.runIf(existsSync('/proc/self/environ'))(
    'has no secret and no other variable of ours in its environment',
    async () => {
      process.env.APP_SECRET = 'do-not-pass-on';
      try {
        const lab = open();
        const picture = lab.develop(request(small));
        // Read before it drops root's rights: afterwards not even root may read everything.
        const environment = readFileSync(`/proc/${lab.pids()[0]}/environ`, 'utf8');
        expect((await picture).ok).toBe(true);
        const names = environment
          .split('\0')
          .filter(Boolean)
          .map((line) => line.split('=')[0]);
        expect(names.filter((name) => !/^(TZ|MALLOC_\w+|GLIBC_TUNABLES|NODE_COMPILE_CACHE)$/.test(name ?? ''))).toEqual(
          [],
        );
      } finally {
        delete process.env.APP_SECRET;
      }
    },
  );

  it.runIf(existsSync('/proc/self/status'))('works without the rights of root, groups included', async () => {
    const lab = open();
    expect((await lab.develop(request(small))).ok).toBe(true);
    const status = readFileSync(`/proc/${lab.pids()[0]}/status`, 'utf8');
    const idsOf = (name: string) => new RegExp(`^${name}:[\\t ]*(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/);
    const isRoot = process.getuid?.() === 0;
    const own = (id: number | undefined) => Array.from({ length: 4 }, () => String(isRoot ? 65_533 : id));
    expect(idsOf('Uid')).toEqual(own(process.getuid?.()));
    expect(idsOf('Gid')).toEqual(own(process.getgid?.()));
    if (isRoot) {
      expect(idsOf('Groups')).toEqual(['']);
      expect(idsOf('CapEff')).toEqual(['0000000000000000']);
    }
  });

  it.runIf(canCutOff())('reaches no network, not even that of this machine', async () => {
    const lab = open();
    expect((await lab.develop(request(small))).ok).toBe(true);
    const { pid } = process;
    const [networkOfLab, own] = [lab.pids()[0], pid].map((id) => readlinkSync(`/proc/${id}/ns/net`));
    expect(networkOfLab).not.toBe(own);
    const devices = readFileSync(`/proc/${lab.pids()[0]}/net/dev`, 'utf8').matchAll(/^ *(\S+):/gm);
    expect([...devices].map(([, name]) => name)).toEqual(['lo']);
    // Its only device is down.
    expect(readFileSync(`/proc/${lab.pids()[0]}/net/fib_trie`, 'utf8')).not.toContain('127.0.0.1');
  });

  it('is started when it is first needed and ended when it is idle', async () => {
    const lab = open({ idleMs: 50 });
    expect(lab.pids()).toEqual([]);
    await lab.develop(request(small));
    const [pid = 0] = lab.pids();
    await until(() => !runs(pid));
    expect((await lab.develop(request(small))).ok).toBe(true);
    expect(lab.pids()).not.toEqual([pid]);
  });

  it('that is killed fails only its own picture', async () => {
    const lab = open({ concurrency: 2 });
    const [one, other] = [lab.develop(request(large)), lab.develop(request(large))];
    const next = lab.develop(request(small));
    await until(() => lab.pids().length === 2);
    process.kill(lab.pids()[0] ?? 0, 'SIGKILL');
    await expect(one).rejects.toThrow('The picture process ended: SIGKILL.');
    expect((await other).ok).toBe(true);
    expect((await next).ok).toBe(true);
  });

  it('that is too slow is killed, and the next picture gets a new one', async () => {
    const lab = open({ timeoutMs: 3_000 });
    await lab.develop(request(small));
    const [pid = 0] = lab.pids();
    process.kill(pid, 'SIGSTOP');
    await expect(lab.develop(request(small))).rejects.toThrow('slower than 3000 ms');
    await until(() => !runs(pid));
    expect((await lab.develop(request(small))).ok).toBe(true);
  });

  it('that grows too large ends itself with the reason', async () => {
    const lab = open({ maxMegabytes: 1 });
    await expect(lab.develop(request(large))).rejects.toThrow('The picture process ended: too much memory.');
  });

  it('ignores the signals of a terminal: the server decides when it ends', async () => {
    const lab = open();
    await lab.develop(request(small));
    const picture = lab.develop(request(large));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(lab.pids()[0] ?? 0, signal);
    expect((await picture).ok).toBe(true);
  });
});

describe('Closing', () => {
  it('finishes the current picture, refuses the waiting ones, and leaves no process', async () => {
    const lab = open();
    const inHand = lab.develop(request(large));
    const inLine = lab.develop(request(small));
    const refused = inLine.catch(String);
    await until(() => lab.pids().length === 1);
    const [pid = 0] = lab.pids();
    await lab.close();
    expect(await refused).toContain('The picture lab is closed.');
    expect((await inHand).ok).toBe(true);
    expect(runs(pid)).toBe(false);
    await expect(lab.develop(request(small))).rejects.toThrow('The picture lab is closed.');
  });

  it('before any request does nothing', async () => {
    await expect(open().close()).resolves.toBeUndefined();
  });
});
