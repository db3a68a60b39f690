/**
 * `sideline-upload` as people start it, against the product behind a real port: files that are copied slowly, a kill in
 * the middle, a network failure, and no file twice.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { NODE_ENVIRONMENT } from '#tests/support/node-environment.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../uploader/main.js');
const server = useTestServer({ works: true });
let people: Neighborhood;
let token: string;
let galleryId: number;
let folder: string;
let port: number;
let running: ChildProcess[] = [];

beforeAll(async () => {
  people = await settleNeighborhood(server);
  token = await tokenOf(['galleries:read', 'galleries:write', 'photos:write']);
  await server.built.server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.built.server.server.address() as AddressInfo).port;
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sideline-hot-'));
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { name: path.basename(folder) });
});
afterEach(async () => {
  for (const each of running) if (each.exitCode === null && each.signalCode === null) each.kill('SIGKILL');
  running = [];
  await rm(folder, { recursive: true, force: true });
});

async function tokenOf(scopes: string[]): Promise<string> {
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${people.hawks.id}/api_tokens`,
    as: people.tokens.owner,
    payload: { name: 'Uploader', scopes, expires_in_days: null },
  });
  return answer.json<{ token: string }>().token;
}

type Started = { child: ChildProcess; said: () => string; end: Promise<number | null> };

function start(args: string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [PROGRAM, '--settle', '0.1', ...args], {
    env: { ...NODE_ENVIRONMENT, SIDELINE_SERVER: `http://127.0.0.1:${port}`, SIDELINE_TOKEN: token, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (text += part.toString()));
  return { child, said: () => text, end: once(child, 'exit').then(([code]) => code as number | null) };
}

async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; said: string }> {
  const { said, end } = start(args, env);
  const code = await end;
  return { code, said: said() };
}

const toGallery = () => ['--gallery', String(galleryId), folder];
const untilSaid = (program: Started, words: RegExp) => expect.poll(program.said, { timeout: 15_000 }).toMatch(words);

let pictures = 0;
/** A JPEG that no other test has. */
const picture = () => quartersJpeg(320 + (pictures += 1), 240);

async function addPictures(count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1)
    await writeFile(path.join(folder, `IMG_${String(index).padStart(2, '0')}.jpg`), await picture());
}

const photosOf = async (gallery = galleryId) => {
  const rows = await server.data.ownerQuery<{ name: string }>(
    'select name from photos where gallery_id = $1 and removed_at is null order by name',
    [gallery],
  );
  return rows.map(({ name }) => name);
};

/** A proxy in front of the product’s port that can be cut. */
async function openLine(): Promise<{ port: number; cut: () => void; mend: () => void; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const line: Server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const far = connect(port, '127.0.0.1');
    for (const each of [socket, far]) {
      sockets.add(each);
      each.on('error', () => undefined).once('close', () => sockets.delete(each));
    }
    socket.pipe(far).pipe(socket);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  return {
    port: (line.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      line.close();
      await once(line, 'close');
    },
  };
}

describe('the uploader', () => {
  test('sends a folder once, and never sends again what is already there, under any name', async () => {
    await addPictures(4);
    await mkdir(path.join(folder, 'below'));
    await writeFile(path.join(folder, 'below', 'deep.jpg'), await picture());
    await writeFile(path.join(folder, 'notes.txt'), 'no picture');
    const first = await run(toGallery());
    expect([first.code, first.said]).toEqual([0, expect.stringContaining('4 sent')]);
    expect(await photosOf()).toEqual(['IMG_01.jpg', 'IMG_02.jpg', 'IMG_03.jpg', 'IMG_04.jpg']);
    await copyFile(path.join(folder, 'IMG_01.jpg'), path.join(folder, 'same-again.jpg'));
    const second = await run([...toGallery(), '--recursive']);
    expect([second.code, second.said]).toEqual([0, expect.stringContaining('1 sent')]);
    expect(second.said).toContain('5 known before');
    expect(await photosOf()).toHaveLength(5);
    // Without its journal it asks the server, which knows which photos it has developed.
    await expect
      .poll(
        async () => {
          const rows = await server.data.ownerQuery('select from photos where gallery_id = $1 and status = $2', [
            galleryId,
            'ready',
          ]);
          return rows.length;
        },
        { timeout: 15_000 },
      )
      .toBe(5);
    await rm(path.join(folder, '.sideline-upload.jsonl'));
    expect((await run(toGallery())).said).toContain('0 sent');
    expect(await photosOf()).toHaveLength(5);
  });

  test('waits until a file that is copied slowly is complete', async () => {
    const program = start(['--watch', ...toGallery()]);
    await untilSaid(program, /Watching/);
    const bytes = await picture();
    const file = path.join(folder, 'slow.jpg');
    for (let part = 0; part < 3; part += 1) {
      await appendFile(file, bytes.subarray((part * bytes.length) / 3, ((part + 1) * bytes.length) / 3));
      // Longer than `--settle`: only the end of the file shows that it is complete.
      await new Promise((resolve) => setTimeout(resolve, 400));
      if (part < 2) expect(program.said()).not.toContain('slow.jpg');
    }
    await untilSaid(program, /sent {5}slow\.jpg/);
    await writeFile(path.join(folder, 'later.jpg'), await picture());
    await untilSaid(program, /sent {5}later\.jpg/);
    program.child.kill('SIGTERM');
    expect(await program.end).toBe(0);
    expect(await photosOf()).toEqual(['later.jpg', 'slow.jpg']);
    const [photo] = await server.data.ownerQuery<{ bytes: number }>(
      `select coalesce(original_bytes, $2) as bytes from photos where gallery_id = $1 and name = 'slow.jpg'`,
      [galleryId, bytes.length],
    );
    expect(photo?.bytes).toBe(bytes.length);
  });

  test('killed in the middle, continues and sends each photo once', async () => {
    await addPictures(8);
    for (const wanted of [1, 4]) {
      const program = start(['--parallel', '2', ...toGallery()]);
      await untilSaid(program, new RegExp(`\\(${wanted} so far\\)`));
      program.child.kill('SIGKILL');
      await program.end;
    }
    const last = await run(toGallery());
    expect(last.code, last.said).toBe(0);
    const names = await photosOf();
    expect(names).toHaveLength(8);
    expect(new Set(names).size).toBe(8);
  });

  test('killed after a file was stored or added, and before it knew, adds it once', async () => {
    await addPictures(2);
    expect((await run(toGallery())).code).toBe(0);
    // As a kill leaves the journal between the last call and its line, and with half a line.
    const journal = path.join(folder, '.sideline-upload.jsonl');
    const lines = (await readFile(journal, 'utf8')).split('\n').filter((line) => line.includes('"sent"'));
    await writeFile(journal, `${lines.join('\n')}\n{"t":"do`);
    expect((await run(toGallery())).code).toBe(0);
    expect(await photosOf()).toEqual(['IMG_01.jpg', 'IMG_02.jpg']);
  });

  test('waits while the network is down, and continues', async () => {
    await addPictures(5);
    const line = await openLine();
    try {
      const program = start(['--parallel', '1', ...toGallery()], { SIDELINE_SERVER: `http://127.0.0.1:${line.port}` });
      await untilSaid(program, /\(2 so far\)/);
      line.cut();
      await untilSaid(program, /waiting/);
      line.mend();
      expect(await program.end).toBe(0);
      expect(program.said()).toContain('back');
      expect(await photosOf()).toHaveLength(5);
      line.cut();
      const away = await run(['--give-up', '0', ...toGallery()], { SIDELINE_SERVER: `http://127.0.0.1:${line.port}` });
      expect([away.code, away.said]).toEqual([4, expect.stringContaining('cannot be reached')]);
    } finally {
      await line.close();
    }
  });

  test('makes a gallery once, and lists the existing ones', async () => {
    await addPictures(1);
    const name = `Made by ${path.basename(folder)}`;
    for (let time = 0; time < 2; time += 1) {
      const made = await run(['--new-gallery', name, '--price', '4.50', '--photos-by', 'Rosa', folder]);
      expect(made.code, made.said).toBe(0);
    }
    const rows = await server.data.ownerQuery<{ id: number }>('select id from galleries where name = $1', [name]);
    expect(rows).toHaveLength(1);
    expect(await photosOf(Number(rows[0]?.id))).toEqual(['IMG_01.jpg']);
    expect((await run(['--list'])).said).toContain(`${rows[0]?.id}\t${name}`);
    expect((await run(['--gallery', name, folder])).said).toContain('1 known before');
  });

  test('sends as a contributor by an invite link, submitted once', async () => {
    const full = await server.call({
      method: 'GET',
      url: `/api/v1/galleries/${galleryId}/full`,
      as: people.tokens.owner,
    });
    const key = full.json<{ contribute_key: string }[]>()[0]?.contribute_key ?? '';
    await addPictures(3);
    const link = ['--link', `http://127.0.0.1:${port}/contributor?contributeKey=${key}`];
    const person = ['--name', 'Ana', '--email', 'ana@families.test'];
    expect((await run([...link, folder], { SIDELINE_TOKEN: '' })).said).toContain('--name and --email');
    const sent = await run([...link, ...person, folder], { SIDELINE_TOKEN: '' });
    expect([sent.code, sent.said]).toEqual([0, expect.stringContaining('3 sent')]);
    // Killed after it had submitted: the same files are submitted again, which the server refuses as known.
    const journal = path.join(folder, '.sideline-upload.jsonl');
    const lines = (await readFile(journal, 'utf8')).split('\n').filter((line) => !line.includes('"handed"'));
    await writeFile(journal, lines.join('\n'));
    const again = await run([...link, ...person, folder], { SIDELINE_TOKEN: '' });
    expect([again.code, again.said]).toEqual([0, expect.stringContaining('0 sent')]);
    expect(await photosOf()).toHaveLength(3);
    const senders = await server.data.ownerQuery('select from gallery_contributors where gallery_id = $1', [galleryId]);
    expect(senders).toHaveLength(1);
  });

  test('names files that are not photos, and sends the others', async () => {
    await addPictures(1);
    await writeFile(
      path.join(folder, 'fake.jpg'),
      Buffer.concat([Buffer.from('not a picture'), Buffer.of(0xff, 0xd9)]),
    );
    const ended = await run(toGallery());
    expect([ended.code, ended.said]).toEqual([2, expect.stringContaining('fake.jpg: is not a JPEG image.')]);
    expect(await photosOf()).toEqual(['IMG_01.jpg']);
  });

  test('ends with a code and a sentence that say what is wrong', async () => {
    const cases: [code: number, words: RegExp, args: string[], env?: Record<string, string>][] = [
      [1, /API token is needed/, toGallery(), { SIDELINE_TOKEN: '' }],
      [3, /unknown, expired or revoked/, toGallery(), { SIDELINE_TOKEN: `sideline_${'a'.repeat(43)}` }],
      [1, /https/, toGallery(), { SIDELINE_SERVER: 'http://club.example' }],
      [3, /cannot be found/, ['--gallery', '999999', folder]],
      [1, /no gallery Nowhere/, ['--gallery', 'Nowhere', folder]],
      [1, /does not exist/, ['--gallery', '1', `${folder}/none`]],
      [1, /--fast/, ['--fast']],
    ];
    await addPictures(1);
    await Promise.all(
      cases.map(async ([code, words, args, env], index) => {
        const ended = await run(['--state', path.join(folder, `${index}.jsonl`), ...args], env);
        expect([ended.code, ended.said]).toEqual([code, expect.stringMatching(words)]);
      }),
    );
    expect(await photosOf()).toEqual([]);
  });

  test('follows no link that someone put into a shared folder', async () => {
    await addPictures(1);
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'sideline-private-'));
    await writeFile(path.join(elsewhere, 'private.jpg'), await picture());
    await writeFile(path.join(elsewhere, 'diary.txt'), 'mine\n');
    await symlink(path.join(elsewhere, 'private.jpg'), path.join(folder, 'holiday.jpg'));
    await symlink(folder, path.join(folder, 'again'));
    await symlink(folder, path.join(folder, 'and-again'));
    const ended = await run(['--recursive', ...toGallery()]);
    expect([ended.code, ended.said]).toEqual([0, expect.stringContaining('1 sent')]);
    expect(await photosOf()).toEqual(['IMG_01.jpg']);
    // A file that is named on the command line may be a link.
    await run(['--gallery', String(galleryId), path.join(folder, 'holiday.jpg')]);
    expect(await photosOf()).toEqual(['IMG_01.jpg', 'holiday.jpg']);

    await rm(path.join(folder, '.sideline-upload.jsonl'));
    await symlink(path.join(elsewhere, 'diary.txt'), path.join(folder, '.sideline-upload.jsonl'));
    const refused = await run(toGallery());
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('is a link')]);
    expect(await readFile(path.join(elsewhere, 'diary.txt'), 'utf8')).toBe('mine\n');
    await rm(elsewhere, { recursive: true });
  });

  test('prints names without characters that a terminal would obey', async () => {
    await writeFile(path.join(folder, 'a\u001b]0;owned\u0007\u001b[2J\u202Eb.jpg'), await picture());
    const ended = await run(toGallery());
    expect(ended.said).toContain('a]0;owned[2Jb.jpg');
    // oxlint-disable-next-line no-control-regex -- none of these may be there
    expect(ended.said).not.toMatch(/[\u001b\u0007\u202E]/);
  });

  test('works alone in a folder', async () => {
    const first = start(['--watch', ...toGallery()]);
    await untilSaid(first, /Watching/);
    const second = await run(toGallery());
    expect([second.code, second.said]).toEqual([1, expect.stringContaining('Another uploader')]);
  });
});

afterAll(() => server.built.server.server.closeAllConnections());
