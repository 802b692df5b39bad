import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequestArgs, createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList, createServer as createTcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { checkImage, type ImageOutcome } from '../../src/products/images/check-image.ts';
import { type FetchStart, fetchWith } from '../../src/products/images/fetch-start.ts';
import { imageAddresses, MAX_IMAGES } from '../../src/products/images/image-addresses.ts';
import { problemOfContent } from '../../src/products/images/recognize-image.ts';
import { SenderThread } from '../../src/sender-thread.ts';
import { addressFinder, LookupFailed, ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import { PlainReceiverAgent, ReceiverAgent } from '../../src/webhooks/receiver-agent.ts';
import { images } from '../support/images.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const { png } = images;
const MANY = 200_000;

/** Counts the bytes that have been read. */
class CountingAgent extends PlainReceiverAgent {
  received = 0;

  override createConnection(options: ClientRequestArgs): Duplex {
    return super.createConnection(options).on('data', (chunk: Buffer) => {
      this.received += chunk.length;
    });
  }
}

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
    // In time that grows with the square of the size, each would take minutes.
    for (const part of ['<!---->', '<!--', '<??>', '<!DOCTYPE ['])
      assert.notEqual(problem('image/svg+xml', part.repeat(MANY)), null, part);
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
    assert.equal(problem('image/tiff', 'II*\0'), 'isn’t PNG, JPEG, GIF, WebP, AVIF, or SVG, but image/tiff.');
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
    assert.deepEqual(urls(null, `${'|'.repeat(199)}https://a.example/|https://b.example/`), [
      ['https://a.example/', 200],
    ]);
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
      timeout = running,
      fetchStart = (image, signal) => thread.fetchStart(image, signal),
    }: {
      findAddress?: Parameters<typeof checkImage>[0]['findAddress'];
      stopping?: AbortSignal;
      timeout?: AbortSignal;
      fetchStart?: FetchStart;
    } = {},
  ): Promise<ImageOutcome> => checkImage({ findAddress, fetchStart, stopping }, url, timeout);
  const checkAnswer = async (
    respond: (response: ServerResponse) => void,
    options?: Parameters<typeof check>[1],
  ): Promise<ImageOutcome> => {
    server.respond = (_, response) => respond(response);
    return await check(`https://${server.name}:8443/vase.png?size=large`, options);
  };
  /** Sends a part of a response, and ends the time of the check when all of it has been read. */
  const checkStalling = async (respond: (response: ServerResponse) => void): Promise<ImageOutcome> => {
    let sent: Socket | undefined;
    const stalling = createServer((request, response) => {
      sent = request.socket;
      respond(response);
    });
    stalling.listen(0, '127.0.0.1');
    await once(stalling, 'listening');
    const { port } = stalling.address() as AddressInfo;
    const plain = new CountingAgent();
    const timeout = new AbortController();
    const fetchStart = fetchWith({ plain, secure: new ReceiverAgent() });
    const findAddress = async (): Promise<string> => '127.0.0.1';
    const outcome = check(`http://a.example:${port}/vase.png`, {
      findAddress,
      fetchStart,
      timeout: timeout.signal,
    });
    await until(() => plain.received > 0 && plain.received === sent?.bytesWritten);
    timeout.abort();
    stalling.closeAllConnections();
    stalling.close();
    return await outcome;
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

  it('recognizes an image whose response stalls; other responses take too long', async () => {
    const dribbled = await checkStalling((response) => response.writeHead(200).write(png.start));
    assert.deepEqual(dribbled, { problem: null });
    const tooLong = problem('didn’t load: the response took longer than 10 s.');
    for (const start of ['', '<html>', png.start.subarray(0, 4)])
      assert.deepEqual(
        await checkStalling((response) => {
          response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders();
          response.write(start);
        }),
        tooLong,
      );
    const missing = await checkStalling((response) => response.writeHead(404).flushHeaders());
    assert.deepEqual(missing, problem('returned 404 Not Found.'));
    const timeout = new AbortController();
    const silent = await checkAnswer(() => timeout.abort(), { timeout: timeout.signal });
    assert.deepEqual(silent, problem('didn’t load: no response within 10 s.'));
  });

  it('recognizes an image whose response is cut; others didn’t load', async () => {
    const checkCut = (start: Buffer): Promise<ImageOutcome> =>
      checkAnswer((response) => {
        response.writeHead(200, { 'content-length': 1_000 }).write(start, () => response.destroy());
      });
    assert.deepEqual(await checkCut(png.start), { problem: null });
    assert.deepEqual(
      await checkCut(png.start.subarray(0, 4)),
      problem('didn’t load: the connection was closed before the end of the response.'),
    );
  });

  it('says which status an address answers with', async () => {
    const status = (code: number): Promise<ImageOutcome> =>
      checkAnswer((response) => response.writeHead(code).end(png.start));
    assert.deepEqual(await status(404), problem('returned 404 Not Found.'));
    assert.deepEqual(await status(403), problem('returned 403 Forbidden.'));
    assert.deepEqual(await status(599), problem('returned 599.'));
    assert.deepEqual(await status(304), problem('returned 304 Not Modified.'));
    assert.equal(await status(429), 'unknown');
  });

  it('does not follow a redirect, wherever it leads', async () => {
    const count = server.received.length;
    for (const location of ['https://127.0.0.1/', 'http://169.254.169.254/', '/other.png'])
      assert.deepEqual(
        await checkAnswer((response) => response.writeHead(302, { location }).end()),
        problem('redirects (302 Found). Enter the final address.'),
      );
    assert.equal(server.received.length, count + 3);
  });

  it('refuses huge headers and other protocols', async () => {
    const large = await checkAnswer((response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end(png.start),
    );
    assert.match(JSON.stringify(large), /didn’t load/);
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
    assert.match(JSON.stringify(outcome), /didn’t load: the certificate isn’t valid/);
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
          problem('didn’t load. The host name has an address that is not public.'),
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
      problem('didn’t load. Couldn’t find gone.example. Check the domain name.'),
    );
    assert.equal(
      await check(url, { findAddress: failing(new LookupFailed('couldn’t look up gone.example')) }),
      'unknown',
    );
    const timeout = new AbortController();
    const findAddress = (): Promise<never> => {
      setImmediate(() => timeout.abort());
      return new Promise(() => {});
    };
    assert.equal(await check(url, { findAddress, timeout: timeout.signal }), 'unknown');
  });

  it('says nothing if the service stops meanwhile', async () => {
    const stopping = new AbortController();
    const outcome = checkAnswer(() => stopping.abort(), { stopping: stopping.signal });
    assert.equal(await outcome, 'unknown');
  });
});
