import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList, createServer as createTcpServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { checkImage, type ImageOutcome } from '../../src/products/images/check-image.ts';
import { imageAddresses, MAX_IMAGES } from '../../src/products/images/image-addresses.ts';
import { problemOfContent } from '../../src/products/images/recognize-image.ts';
import { SenderThread } from '../../src/sender-thread.ts';
import { addressFinder, LookupFailed, ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import { images } from '../support/images.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const { png } = images;
const MINUTE_MS = 60_000;

describe('the content of an image', () => {
  const problem = (contentType: string, start: Uint8Array | string, isEncoded = false): string | null =>
    problemOfContent({ contentType, isEncoded, start: Buffer.from(start) });

  it('is recognized by its first bytes', () => {
    for (const { type, start } of Object.values(images)) assert.equal(problem(type, start), null, type);
    assert.equal(problem('image/svg+xml; charset=utf-8', '<svg onload="alert(1)"></svg>'), null);
    assert.equal(
      problem('image/svg+xml', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg>'),
      null,
    );
  });

  it('is searched for the start of an SVG in time that grows with its size', () => {
    const entities = '<!DOCTYPE svg [ <!ENTITY ns "http://www.w3.org/2000/svg"> ]>';
    assert.equal(problem('image/svg+xml', `${entities}<!-- > -->\n<svg>`), null);
    for (const text of [
      '<!---->'.repeat(1_000),
      '<!--'.repeat(2_000),
      '<??>'.repeat(2_000),
      '<!DOCTYPE ['.repeat(700),
    ]) {
      const startedAt = performance.now();
      assert.notEqual(problem('image/svg+xml', text), null);
      assert.ok(performance.now() - startedAt < 1_000, text.slice(0, 20));
    }
  });

  it('can have another type, as browsers find out the format themselves, except for SVG', () => {
    for (const type of ['', 'text/plain', 'image/jpeg', 'application/octet-stream'])
      assert.equal(problem(type, png.start), null, type);
    assert.equal(problem('', '<svg>'), 'is an SVG, and must be sent as image/svg+xml.');
    assert.equal(
      problem('text/plain', '<svg>'),
      'is an SVG, and must be sent as image/svg+xml, not text/plain.',
    );
  });

  it('is nothing else', () => {
    assert.equal(problem('text/html; charset=utf-8', '<!DOCTYPE html><html>'), 'isn’t an image: text/html.');
    assert.equal(problem('text/html', '<p><svg>'), 'isn’t an image: text/html.');
    assert.equal(problem('', 'hello'), 'isn’t an image.');
    assert.equal(problem('image/png', '<!DOCTYPE html>'), 'is sent as image/png, but isn’t an image.');
    assert.equal(problem('image/tiff', 'II*\0'), 'has a format that not every browser shows: image/tiff.');
    assert.equal(problem('image/png', ''), 'has no content.');
    assert.equal(
      problem('image/avif', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
      'is sent as image/avif, but isn’t an image.',
    );
  });

  it('that is compressed without being asked for is what its type says', () => {
    assert.equal(problem('image/svg+xml', '\x1f\x8b', true), null);
    assert.equal(problem('text/html', '\x1f\x8b', true), 'isn’t an image: text/html.');
  });
});

describe('the addresses of a product’s images', () => {
  const urls = (primary_image: string | null, extra_images: string | null): [string, number][] =>
    imageAddresses({ primary_image, extra_images }).map(({ url, position }) => [url, position]);

  it('are each listed once, with their place', () => {
    assert.deepEqual(
      urls(' https://a.example/1 ', 'https://a.example/2|https://a.example/1||HTTP://a.example/3'),
      [
        ['https://a.example/1', 0],
        ['https://a.example/2', 1],
        ['HTTP://a.example/3', 4],
      ],
    );
    assert.deepEqual(urls(null, 'https://a.example/2'), [['https://a.example/2', 1]]);
    assert.deepEqual(urls(null, null), []);
  });

  it('are limited in number and length, and have usual ports and no password', () => {
    const many = Array.from({ length: 80 }, (_, index) => `https://a.example/${index}`).join('|');
    assert.equal(urls(null, many).length, MAX_IMAGES);
    for (const url of [
      'https://a.example:22/',
      'http://a.example:443/',
      'https://user:word@a.example/',
      `https://a.example/${'x'.repeat(2_000)}`,
      'https://[/',
    ])
      assert.deepEqual(urls(url, null), [], url);
    for (const url of ['https://a.example:8443/', 'http://a.example:8080/', 'http://a.example:80/'])
      assert.equal(urls(url, null).length, 1, url);
  });
});

describe('a check of an address', () => {
  let server: WebhookReceiver;
  const thread = new SenderThread(null);
  const running = new AbortController().signal;
  before(async () => {
    server = await WebhookReceiver.start();
  });
  after(async () => {
    await server.close();
    await thread.close();
  });

  const check = (
    url: string,
    {
      findAddress = async () => server.address,
      stopping = running,
      timeoutMs = MINUTE_MS,
    }: {
      findAddress?: Parameters<typeof checkImage>[0]['findAddress'];
      stopping?: AbortSignal;
      timeoutMs?: number;
    } = {},
  ): Promise<ImageOutcome> => {
    const fetchStart = (image: { url: string; address: string }, signal: AbortSignal) =>
      thread.fetchStart(image, signal);
    return checkImage({ findAddress, fetchStart, stopping }, url, timeoutMs);
  };
  const checkAnswer = async (
    respond: (response: ServerResponse) => void,
    options?: Parameters<typeof check>[1],
  ): Promise<ImageOutcome> => {
    server.respond = (_, response) => respond(response);
    return await check(`https://${server.name}:8443/vase.png?size=large`, options);
  };
  const problem = (text: string): ImageOutcome => ({ problem: text });

  it('finds an image, and says who asks', async () => {
    const found = await checkAnswer((response) =>
      response.writeHead(200, { 'content-type': png.type }).end(png.start),
    );
    assert.deepEqual(found, { problem: null });
    const { path, headers, body } = server.received.at(-1) ?? assert.fail('nothing received');
    assert.deepEqual([path, headers.host, body], ['/vase.png?size=large', `${server.name}:8443`, '']);
    assert.deepEqual(
      [headers['user-agent'], headers.cookie, headers.authorization],
      ['Tradepost-Images/1', undefined, undefined],
    );
  });

  it('finds an image over http', async () => {
    const plain = createServer((_, response) => response.writeHead(200).end(png.start));
    plain.listen(8080, server.address);
    await once(plain, 'listening');
    try {
      const url = `http://${server.name}:8080/vase.png`;
      assert.deepEqual(await check(url), { problem: null });
    } finally {
      plain.closeAllConnections();
      plain.close();
    }
  });

  it('reads only the beginning of an endless body', async () => {
    let sent = 0;
    const found = await checkAnswer((response) => {
      response.writeHead(200).write(png.start);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) sent += 10_000;
      };
      response.on('drain', write);
      write();
    });
    assert.deepEqual(found, { problem: null });
    assert.ok(sent < 50_000_000, `${sent}`);
  });

  it('judges what has arrived in time of a slow body', async () => {
    const slow = { timeoutMs: 1_500 };
    const dribbled = await checkAnswer((response) => response.writeHead(200).write(png.start), slow);
    assert.deepEqual(dribbled, { problem: null });
    const empty = await checkAnswer((response) => response.writeHead(200).flushHeaders(), slow);
    assert.deepEqual(empty, problem('has no content.'));
    const silent = await checkAnswer(() => {}, slow);
    assert.deepEqual(silent, problem('couldn’t be reached: no response within 10 s.'));
  });

  it('says which status an address answers with', async () => {
    const status = (code: number): Promise<ImageOutcome> =>
      checkAnswer((response) => response.writeHead(code).end(png.start));
    assert.deepEqual(await status(404), problem('answers 404 Not Found.'));
    assert.deepEqual(await status(403), problem('answers 403 Forbidden.'));
    assert.deepEqual(await status(599), problem('answers 599.'));
    assert.equal(await status(429), 'unknown');
  });

  it('does not follow a redirect, wherever it leads', async () => {
    const count = server.received.length;
    for (const location of ['https://127.0.0.1/', 'http://169.254.169.254/', '/other.png'])
      assert.deepEqual(
        await checkAnswer((response) => response.writeHead(302, { location }).end()),
        problem('answers 302 Found, which leads elsewhere. State the address of the image itself.'),
      );
    assert.equal(server.received.length, count + 3);
  });

  it('refuses huge headers and other protocols', async () => {
    const large = await checkAnswer((response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end(png.start),
    );
    assert.match(JSON.stringify(large), /couldn’t be reached/);
    const other = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH\r\n'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const fetched = await thread.fetchStart(
      { url: `http://a.example:${port}/`, address: '127.0.0.1' },
      running,
    );
    assert.deepEqual(fetched, { error: 'the response isn’t HTTP' });
    other.close();
  });

  it('requires a valid certificate', async () => {
    const outcome = await check(`https://other.example:8443/vase.png`);
    assert.match(JSON.stringify(outcome), /couldn’t be reached: the certificate isn’t valid/);
  });

  it('never connects to an address that is not public', async () => {
    const findAddress = addressFinder(new BlockList());
    for (const host of [
      '127.0.0.1',
      '127.1',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00::1]',
    ])
      for (const scheme of ['http', 'https'])
        assert.deepEqual(
          await check(`${scheme}://${host}/vase.png`, { findAddress }),
          problem('couldn’t be reached. The host name has an address that is not public.'),
          host,
        );
  });

  it('blames the name only if it does not exist', async () => {
    const failing = (error: Error) => async (): Promise<string> => {
      throw error;
    };
    const url = 'https://gone.example/vase.png';
    assert.deepEqual(
      await check(url, {
        findAddress: failing(new ReceiverRefused('Couldn’t find gone.example. Check the domain name.')),
      }),
      problem('couldn’t be reached. Couldn’t find gone.example. Check the domain name.'),
    );
    assert.equal(
      await check(url, { findAddress: failing(new LookupFailed('couldn’t look up gone.example')) }),
      'unknown',
    );
    assert.equal(await check(url, { findAddress: () => new Promise(() => {}), timeoutMs: 50 }), 'unknown');
  });

  it('says nothing if the service stops meanwhile', async () => {
    const stopping = new AbortController();
    const outcome = checkAnswer(() => stopping.abort(), { stopping: stopping.signal });
    assert.equal(await outcome, 'unknown');
  });
});
