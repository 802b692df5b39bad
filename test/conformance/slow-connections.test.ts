import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { parseAnswer } from '../support/raw-answer.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** A connection to the service, and what it has received. */
interface Opened {
  socket: Socket;
  received: string;
  closed: Promise<unknown>;
}

function watch(socket: Socket): Opened {
  const opened = { socket, received: '', closed: once(socket, 'close') };
  socket.on('data', (chunk) => {
    opened.received += String(chunk);
  });
  socket.on('error', () => {});
  return opened;
}

function openPlain({ client }: TestService): Opened {
  return watch(connectPlain({ host: client.origin.hostname, port: Number(client.origin.port) }));
}

async function openTls({ client }: TestService): Promise<Opened> {
  const { hostname: host, port } = client.origin;
  const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false });
  const opened = watch(socket);
  await Promise.race([once(socket, 'secureConnect'), opened.closed]);
  return opened;
}

/** Sends a byte every 200 ms until the connection is closed; resolves to the seconds that this took. */
async function trickle({ socket, closed }: Opened, text: string): Promise<number> {
  const begun = performance.now();
  let over = false;
  void closed.then(() => {
    over = true;
  });
  for (let index = 0; !over; index += 1) {
    if (socket.writable) socket.write(text[index] ?? 'a');
    await Promise.race([pause(200), closed]);
  }
  return (performance.now() - begun) / 1000;
}

const head = 'POST /v1/campaigns.json HTTP/1.1\r\nHost: x\r\n';

describe('slow connections', { concurrency: true }, () => {
  const service = useService(sqlite);

  it('408: headers that trickle are cut after 15 s', async () => {
    const opened = await openTls(service());
    const seconds = await trickle(opened, `${head}A: `);
    assert.ok(seconds > 14 && seconds < 60, `${seconds}`);
    expectError(parseAnswer(opened.received), 408, /did not arrive in time/);
  });

  it('408: a body that trickles is cut after 30 s', async () => {
    const opened = await openTls(service());
    const type = 'Content-Type: application/x-www-form-urlencoded';
    opened.socket.write(`${head}${type}\r\nContent-Length: 60000\r\n\r\n`);
    const seconds = await trickle(opened, 'name=');
    assert.ok(seconds > 29 && seconds < 60, `${seconds}`);
    expectError(parseAnswer(opened.received), 408, /did not arrive in time/);
  });

  it('414: a client that is rejected and does not send the rest is cut after 30 s, without a second response', async () => {
    const opened = await openTls(service());
    const begun = performance.now();
    opened.socket.write(`${head.replace(' HTTP', `?a=${'a'.repeat(14_000)} HTTP`)}Content-Length: 5\r\n\r\n`);
    await opened.closed;
    assert.ok(performance.now() - begun > 29_000);
    assert.match(opened.received, /^HTTP\/1\.1 414 /);
    assert.equal(opened.received.split('HTTP/1.1 ').length, 2);
  });

  it('a TLS handshake that never finishes is cut, and one that never starts', async () => {
    const silent = openPlain(service());
    const half = openPlain(service());
    // The start of a handshake record, whose rest never comes.
    half.socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]));
    const cut = Promise.all([silent.closed, half.closed]);
    assert.equal(await Promise.race([cut.then(() => 'cut'), pause(60_000, 'open', { ref: false })]), 'cut');
  });

  it('200: many of them at once do not delay other clients until they are cut', async () => {
    const many = await Promise.all(Array.from({ length: 300 }, () => openTls(service())));
    for (const { socket } of many) socket.write(`${head}Content-Length: 60000\r\n\r\nn`);
    const merchant = await service().newMerchant();
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await service().get('/performance/sales', merchant)).status, 200);
    }
    // None of these responses came only because the slow requests were cut.
    assert.deepEqual([...new Set(many.map(({ received }) => received))], ['']);
    assert.ok(many.every(({ socket }) => !socket.destroyed && !socket.readableEnded));
    for (const { socket } of many) socket.destroy();
  });
});

describe('with MAX_CONNECTIONS=20', () => {
  const environment = { MAX_CONNECTIONS: '20' };

  it('one address gets half of them, and more when it closes some', async (t) => {
    const service = await startTestService(sqlite, { environment });
    t.after(() => service.close());
    const open = await Promise.all(Array.from({ length: 10 }, () => openTls(service)));
    assert.ok(open.every(({ socket }) => !socket.destroyed));
    await openPlain(service).closed;
    assert.ok(open.every(({ socket }) => !socket.destroyed));
    open[0]?.socket.destroy();
    await open[0]?.closed;
    const merchant = await service.newMerchant();
    const isServed = (): Promise<boolean> =>
      service.get('/products.json', merchant).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isServed, { message: 'no connection is accepted' });
    for (const { socket } of open) socket.destroy();
  });

  it('a trusted proxy gets all of them, and no more', async (t) => {
    const trusting = { ...environment, TRUST_PROXY: '127.0.0.1' };
    const service = await startTestService(sqlite, { environment: trusting });
    t.after(() => service.close());
    const open = await Promise.all(Array.from({ length: 20 }, () => openTls(service)));
    assert.ok(open.every(({ socket }) => !socket.destroyed));
    await openPlain(service).closed;
    for (const { socket } of open) socket.destroy();
  });
});
