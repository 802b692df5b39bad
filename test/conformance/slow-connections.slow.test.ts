import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { parseResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface TestConnection {
  socket: Socket;
  received: string;
  closed: Promise<unknown>;
}

function record(socket: Socket): TestConnection {
  const connection = { socket, received: '', closed: once(socket, 'close') };
  socket.on('data', (chunk) => {
    connection.received += String(chunk);
  });
  socket.on('error', () => {});
  return connection;
}

function openPlain({ client }: TestService): TestConnection {
  return record(connectPlain({ host: client.origin.hostname, port: Number(client.origin.port) }));
}

async function openTls({ client }: TestService): Promise<TestConnection> {
  const { hostname: host, port } = client.origin;
  const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false });
  const connection = record(socket);
  await Promise.race([once(socket, 'secureConnect'), connection.closed]);
  return connection;
}

/** Sends a byte every 200 ms until the connection is closed. Resolves to the seconds that this took. */
async function trickle({ socket, closed }: TestConnection, text: string): Promise<number> {
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

  it('408: closes a connection with slow headers after 15 s', async () => {
    const connection = await openTls(service());
    const seconds = await trickle(connection, `${head}A: `);
    assert.ok(seconds > 14 && seconds < 60, `${seconds}`);
    expectError(parseResponse(connection.received), 408, /did not arrive in time/);
  });

  it('408: closes a connection with a slow body after 30 s', async () => {
    const connection = await openTls(service());
    const type = 'Content-Type: application/x-www-form-urlencoded';
    connection.socket.write(`${head}${type}\r\nContent-Length: 60000\r\n\r\n`);
    const seconds = await trickle(connection, 'name=');
    assert.ok(seconds > 29 && seconds < 60, `${seconds}`);
    expectError(parseResponse(connection.received), 408, /did not arrive in time/);
  });

  it('414: disconnects a rejected client that does not send the rest after 30 s, without a second response', async () => {
    const connection = await openTls(service());
    const begun = performance.now();
    connection.socket.write(
      `${head.replace(' HTTP', `?a=${'a'.repeat(14_000)} HTTP`)}Content-Length: 5\r\n\r\n`,
    );
    await connection.closed;
    assert.ok(performance.now() - begun > 29_000);
    assert.match(connection.received, /^HTTP\/1\.1 414 /);
    assert.equal(connection.received.split('HTTP/1.1 ').length, 2);
  });

  it('closes connections whose TLS handshake never starts or never finishes', async () => {
    const silent = openPlain(service());
    const half = openPlain(service());
    // The start of a handshake record, whose rest never comes.
    half.socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]));
    const closed = Promise.all([silent.closed, half.closed]);
    const timeout = pause(60_000, 'open', { ref: false });
    assert.equal(await Promise.race([closed.then(() => 'closed'), timeout]), 'closed');
  });

  it('200: many slow connections at once do not delay other clients', async () => {
    const many = await Promise.all(Array.from({ length: 300 }, () => openTls(service())));
    for (const { socket } of many) socket.write(`${head}Content-Length: 60000\r\n\r\nn`);
    const merchant = await service().newMerchant();
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await service().get('/performance/sales', merchant)).status, 200);
    }
    // No response was possible only because the slow connections had been closed.
    assert.deepEqual([...new Set(many.map(({ received }) => received))], ['']);
    assert.ok(many.every(({ socket }) => !socket.destroyed && !socket.readableEnded));
    for (const { socket } of many) socket.destroy();
  });
});

describe('with MAX_CONNECTIONS=20', () => {
  const environment = { MAX_CONNECTIONS: '20' };

  it('gives one address half of the connections, and a new one for each that it closes', async (t) => {
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

  it('gives a trusted proxy all connections, and no more', async (t) => {
    const trusting = { ...environment, TRUST_PROXY: '127.0.0.1' };
    const service = await startTestService(sqlite, { environment: trusting });
    t.after(() => service.close());
    const open = await Promise.all(Array.from({ length: 20 }, () => openTls(service)));
    assert.ok(open.every(({ socket }) => !socket.destroyed));
    await openPlain(service).closed;
    for (const { socket } of open) socket.destroy();
  });
});
