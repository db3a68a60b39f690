import { Suspense, use, type ReactNode } from 'react';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { rawLiteral, renderAtOnce, renderHtml, type RenderOptions } from '#src/web/documents/render-html.ts';

function Late({ text }: { text: Promise<string> }) {
  return <b>{use(text)}</b>;
}

const page = (text: Promise<string>): ReactNode => (
  <main>
    <h1>Frame</h1>
    <Suspense fallback={<i>Wait</i>}>
      <Late text={text} />
    </Suspense>
  </main>
);

function options(more: Partial<RenderOptions> = {}) {
  const reported: unknown[] = [];
  return {
    reported,
    options: {
      nonce: 'N0NCE',
      whole: false,
      deadlineMs: 2_000,
      report: (error: unknown) => void reported.push(error),
      ...more,
    },
  };
}

async function textOf(html: Buffer | Readable): Promise<string> {
  if (Buffer.isBuffer(html)) return html.toString();
  const chunks: Buffer[] = [];
  for await (const chunk of html) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe('a page in one go', () => {
  test('is rendered when nothing in it waits', () => {
    expect(renderAtOnce(<h1>Frame</h1>)).toBe('<h1>Frame</h1>');
  });

  test('is not rendered when a part or the frame waits or fails', () => {
    const Broken = () => {
      throw new Error('broken');
    };
    expect(renderAtOnce(page(sleep(1, 'Later')))).toBeNull();
    expect(
      renderAtOnce(
        <Suspense fallback={<i>Wait</i>}>
          <Broken />
        </Suspense>,
      ),
    ).toBeNull();
    expect(renderAtOnce(<Broken />)).toBeNull();
  });
});

describe('a page', () => {
  test('that is complete immediately is sent in one piece', async () => {
    const html = await renderHtml(page(Promise.resolve('Here')), options().options);
    expect(Buffer.isBuffer(html)).toBe(true);
    expect(await textOf(html)).toContain('<b>Here</b>');
  });

  test('that is long and complete needs no script to be read', async () => {
    const long = 'x'.repeat(50_000);
    const html = await renderHtml(
      <div title={long}>{page(Promise.resolve(`Here ${long}`))}</div>,
      options({ whole: true }).options,
    );
    expect(await textOf(html)).not.toContain('<script');
  });

  test('that waits for something sends its frame first, and its scripts have the nonce', async () => {
    const html = await renderHtml(page(sleep(80, 'Later')), options().options);
    if (Buffer.isBuffer(html)) throw new Error('it did not stream');
    const first = await new Promise<Buffer>((resolve) => html.once('data', resolve));
    expect(first.toString()).toContain('<h1>Frame</h1>');
    expect(first.toString()).toContain('<i>Wait</i>');
    const rest = await textOf(html);
    expect(rest).toContain('<b>Later</b>');
    expect(rest).toContain('<script nonce="N0NCE">');
  });

  test('is complete for a crawler', async () => {
    const html = await renderHtml(page(sleep(80, 'Later')), options({ whole: true }).options);
    expect(Buffer.isBuffer(html)).toBe(true);
    expect(await textOf(html)).toContain('<b>Later</b>');
  });

  test('whose frame fails is refused', async () => {
    const Broken = () => {
      throw new Error('broken frame');
    };
    const { options: given, reported } = options();
    await expect(renderHtml(<Broken />, given)).rejects.toThrow('broken frame');
    expect(reported).toEqual([]);
  });

  test('whose late part fails keeps its frame, and the failure is logged', async () => {
    const { options: given, reported } = options();
    const failing = sleep(60).then(() => Promise.reject<string>(new Error('late failure')));
    expect(await textOf(await renderHtml(page(failing), given))).toContain('<i>Wait</i>');
    expect(reported).toEqual([new Error('late failure')]);
  });

  test('does not wait forever', async () => {
    const { options: given, reported } = options({ deadlineMs: 60 });
    expect(await textOf(await renderHtml(page(new Promise(() => {})), given))).toContain('<i>Wait</i>');
    expect(reported).toEqual([new Error('a part of the page took too long')]);
  });

  test('is dropped when the browser disconnects', async () => {
    const { options: given, reported } = options();
    const html = await renderHtml(page(new Promise(() => {})), given);
    (html as Readable).destroy();
    await sleep(20);
    expect(reported).toEqual([new Error('the browser disconnected')]);
  });
});

test.each([`O'Neill "Oz" \\' and \`\${1}\``, '</script><!--<script>', 'two\nlines\u2028and three', ''])(
  'data in a page arrives unchanged: %s',
  (text) => {
    const given = `${JSON.stringify([text])}\n${JSON.stringify(JSON.stringify({ text }))}\n`;
    const literal = rawLiteral(given);
    const read = (lines: string) => lines.split('\n').map((line) => line && (JSON.parse(line) as unknown));
    expect(read(runInNewContext(literal) as string)).toEqual(read(given));
    expect(literal).not.toContain('<');
  },
);
