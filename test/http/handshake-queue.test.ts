import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HandshakeQueue } from '../../src/http/connections/handshake-queue.ts';
import { until } from '../support/until.ts';

function socketFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

describe('the queue of TLS handshakes', () => {
  it('starts handshakes for a few milliseconds in each turn of the event loop', async () => {
    const queue = new HandshakeQueue();
    let started = 0;
    const perTurn: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      queue.add(socketFrom('192.0.2.1'), () => {
        // As in Node, the work begins in the next tick.
        process.nextTick(() => {
          started += 1;
          work(1);
        });
      });
    }
    assert.equal(started, 0);
    while (started < 40) {
      const before = started;
      await nextTurn();
      perTurn.push(started - before);
    }
    assert.ok(Math.max(...perTurn) <= 6, `handshakes per turn: ${perTurn}`);
  });

  it('lets networks take turns', async () => {
    const queue = new HandshakeQueue();
    const order: string[] = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '198.51.100.7', '2001:db8::1']) {
      queue.add(socketFrom(address), () => order.push(address));
    }
    await until(() => order.length === 5);
    assert.deepEqual(order.slice(0, 3), ['192.0.2.1', '198.51.100.7', '2001:db8::1']);
  });

  it('skips sockets that have closed, and outlives their errors', async () => {
    const queue = new HandshakeQueue();
    const started: number[] = [];
    const sockets = [0, 1, 2].map((number) => {
      const socket = socketFrom('192.0.2.1');
      queue.add(socket, () => started.push(number));
      return socket;
    });
    sockets[0]?.destroy();
    sockets[1]?.destroy(new Error('the connection was reset'));
    await until(() => started.length > 0);
    await nextTurn();
    assert.deepEqual(started, [2]);
  });
});
