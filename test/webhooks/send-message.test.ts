import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { SenderThread } from '../../src/sender-thread.ts';
import type { PostMessage } from '../../src/webhooks/post-message.ts';
import { ReceiverAgent } from '../../src/webhooks/receiver-agent.ts';
import {
  type AttemptResult,
  createSender,
  type Receiver,
  sendMessage,
} from '../../src/webhooks/send-message.ts';
import { newSecret } from '../../src/webhooks/signature.ts';
import { createCertificate } from '../support/certificates.ts';
import { until } from '../support/until.ts';
import { type Respond, WebhookReceiver } from '../support/webhook-receiver.ts';

describe('an attempt', () => {
  let receiver: WebhookReceiver;
  const thread = new SenderThread(null);
  const post: PostMessage = (message, signal) => thread.post(message, signal);
  const secrets = [newSecret()];
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(async () => {
    await receiver.close();
    await thread.close();
  });

  const send = (
    change: Partial<Receiver> = {},
    stopping = new AbortController().signal,
  ): Promise<AttemptResult> =>
    sendMessage(
      createSender({ findAddress: async () => receiver.address, post, now: Date.now, stopping }),
      { url: `${receiver.url}?a=b`, owner: 'merchant', merchantId: 1, secrets, ...change },
      { id: 'evt_1', body: '{"a":"ü"}' },
    );
  const sendAt = (address: string, stopping = new AbortController().signal): Promise<AttemptResult> =>
    sendMessage(
      createSender({ findAddress: async () => address, post, now: Date.now, stopping }),
      { url: receiver.url, owner: 'merchant', merchantId: 1, secrets },
      { id: 'evt_1', body: '{}' },
    );
  const sendTo = async (respond: Respond): Promise<AttemptResult> => {
    receiver.respond = respond;
    return await send();
  };

  it('posts JSON with the headers of Standard Webhooks to the checked address', async () => {
    receiver.respond = (_, response) => response.writeHead(201).end('thanks');
    const result = await send();
    assert.deepEqual([result.status, result.error, result.response], [201, null, 'thanks']);
    const { path, headers, body } = receiver.received.at(-1) ?? assert.fail('nothing received');
    assert.equal(path, '/hooks?a=b');
    assert.equal(headers.host, `${receiver.name}:8443`);
    assert.equal(headers['content-type'], 'application/json');
    new StandardWebhook(secrets[0] ?? '').verify(body, headers as Record<string, string>);
  });

  it('keeps the first 2 kB of a response, however long it is', async () => {
    const result = await sendTo((_, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write);
      write();
    });
    assert.deepEqual([result.status, result.response], [200, 'x'.repeat(2_048)]);
  });

  it('does not follow a redirect', async () => {
    const count = receiver.received.length;
    const result = await sendTo((_, response) => response.writeHead(307, { location: receiver.url }).end());
    assert.equal(result.status, 307);
    assert.equal(receiver.received.length, count + 1);
  });

  it('reads Retry-After', async () => {
    const result = await sendTo((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    assert.equal(result.retryAfter, 120_000);
  });

  it('says that the connection was closed before the response', async () => {
    const result = await sendTo((_, response) => response.destroy());
    assert.deepEqual([result.status, result.error], [null, 'the connection was closed before the response']);
  });

  it('keeps a status whose body breaks off', async () => {
    const result = await sendTo((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part');
      response.socket?.end();
    });
    assert.deepEqual([result.status, result.response], [200, 'part']);
  });

  it('refuses a certificate for another name', async () => {
    const count = receiver.received.length;
    const result = await send({ url: receiver.url.replace(receiver.name, 'other.example') });
    assert.match(result.error ?? '', /^the certificate isn’t valid \(ERR_TLS_CERT_ALTNAME_INVALID\)$/);
    assert.equal(receiver.received.length, count);
  });

  it('does not compute with numbers whose size the receiver chooses, which takes the event loop’s time', async () => {
    const { cert, key } = await createCertificate('dhe.example', { keyType: 'rsa', keySize: 2048 });
    const server = createTlsServer({
      cert,
      key,
      dhparam: 'auto',
      maxVersion: 'TLSv1.2',
      ciphers: 'DHE-RSA-AES128-GCM-SHA256',
    });
    server.listen(8443, '127.3.2.2');
    await once(server, 'listening');
    const result = await sendAt('127.3.2.2');
    server.close();
    assert.match(result.error ?? '', /^the connection failed: /);
  });

  it('does not check more certificates than a handshake of 16 KiB has', async () => {
    const { cert, key } = await createCertificate('chain.example');
    const server = createTlsServer({ cert: `${cert}\n`.repeat(100), key });
    server.listen(8443, '127.3.2.3');
    await once(server, 'listening');
    const result = await sendAt('127.3.2.3');
    server.close();
    assert.equal(result.error, 'the certificate isn’t valid (CERT_CHAIN_TOO_LONG)');
  });

  it('refuses another handshake on its connection', async () => {
    const pair = await createCertificate('again.example');
    let received = '';
    const server = createTlsServer({ ...pair, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', (chunk) => {
        received += String(chunk);
        socket.renegotiate({ rejectUnauthorized: false }, () =>
          socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
        );
      });
    });
    server.listen(8443, '127.3.2.5');
    await once(server, 'listening');
    const sent = request({
      host: '127.3.2.5',
      port: 8443,
      method: 'POST',
      agent: new ReceiverAgent(),
      rejectUnauthorized: false,
    });
    const response = once(sent, 'response');
    sent.end('{}');
    await assert.rejects(response, /handshake failure/);
    server.close();
    assert.match(received, /^POST /, 'the first handshake succeeded');
  });

  it('ends when a receiver switches to another protocol', async () => {
    const result = await sendTo((_, response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n');
    });
    assert.deepEqual([result.status, result.error], [null, 'the connection was closed before the response']);
  });

  it('ends when a receiver sends informational responses without end, which take the event loop’s time', async () => {
    const hints = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000));
    let isClosed = false;
    const result = await sendTo((_, response) => {
      const { socket } = response;
      const write = (): void => {
        while (socket?.destroyed === false && socket.write(hints));
      };
      socket?.on('drain', write).on('close', () => {
        isClosed = true;
      });
      write();
    });
    assert.match(
      result.error ?? '',
      /^the connection failed: more than 36 KiB arrived without a final status$/,
    );
    await until(() => isClosed);
  });

  it('says that a response is not HTTP', async () => {
    const server = createServer((socket) => socket.end('nonsense'));
    server.listen(8443, '127.3.2.1');
    await once(server, 'listening');
    const result = await sendAt('127.3.2.1');
    server.close();
    assert.equal(result.status, null);
    assert.match(result.error ?? '', /^the connection failed: /);
  });

  it('starts 40 ms after the last one of its merchant, and does not delay other merchants', async () => {
    const { waitToStart } = createSender({
      findAddress: async () => receiver.address,
      post,
      now: Date.now,
      stopping: new AbortController().signal,
    });
    const startedAt = performance.now();
    const order: number[] = [];
    await Promise.all(
      [...Array<number>(10).fill(1), 2].map(async (merchantId) => {
        await waitToStart(merchantId);
        order.push(merchantId);
      }),
    );
    // Timers may end a millisecond early.
    assert.ok(performance.now() - startedAt >= 9 * 40 - 10);
    assert.equal(order.indexOf(2), 1);
  });

  it('ends after 15 seconds if there is no response', async (t) => {
    const time = new AbortController();
    const timeout = t.mock.method(AbortSignal, 'timeout', () => time.signal);
    const result = await sendTo(() => time.abort());
    assert.equal(result.error, 'no response within 15 s');
    assert.deepEqual(
      timeout.mock.calls.map(({ arguments: [milliseconds] }) => milliseconds),
      [15_000],
    );
  });

  it('closes its connection when it ends during the handshake', async () => {
    const stopping = new AbortController();
    const server = createServer();
    const closed = once(server, 'connection').then(async ([socket]: Socket[]) => {
      stopping.abort();
      await once(
        (socket ?? assert.fail()).resume().on('error', () => {}),
        'close',
      );
    });
    server.listen(8443, '127.3.2.4');
    await once(server, 'listening');
    await sendAt('127.3.2.4', stopping.signal);
    await closed;
    server.close();
  });

  it('is over if its thread ends', async () => {
    const ended = new SenderThread(null);
    const signal = new AbortController().signal;
    receiver.respond = () => void ended.close();
    const { url, address } = receiver;
    const result = await ended.post({ url, address, headers: {}, body: '{}' }, signal);
    assert.deepEqual(result, { error: 'the service was interrupted while it sent the message' });
  });

  it('ends when the service stops', async () => {
    const stopping = new AbortController();
    receiver.respond = () => stopping.abort();
    const result = await send({}, stopping.signal);
    assert.equal(result.status, null);
  });
});
