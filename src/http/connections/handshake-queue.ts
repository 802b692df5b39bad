import type { Socket } from 'node:net';
import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { networkOf } from '../gate/client-address.ts';

/** Handshakes are started for at most this long in one turn of the event loop; the rest wait for the next turn. */
const MAX_TURN_MS = 5;

/**
 * Starts TLS handshakes. Each takes up to a millisecond of CPU time, so without this queue, a thousand connections that
 * arrive together would block the event loop. Networks take turns: one that opens many connections does not delay
 * the handshakes of others.
 */
export class HandshakeQueue {
  readonly #waiting = new RoundRobinQueues<() => void>();
  #isScheduled = false;

  /** Calls `start` in one of the next turns, unless the socket has been closed by then. */
  add(socket: Socket, start: () => void): void {
    const destroy = (): void => void socket.destroy();
    socket.on('error', destroy);
    this.#waiting.push(networkOf(socket.remoteAddress ?? ''), () => {
      socket.removeListener('error', destroy);
      if (!socket.destroyed) start();
    });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startSome());
  }

  #startSome(): void {
    const end = performance.now() + MAX_TURN_MS;
    const startNext = (): void => {
      const next = this.#waiting.take(() => true);
      if (next === undefined) {
        this.#isScheduled = false;
        return;
      }
      next.item();
      // Node computes the handshake in a tick that `start` has scheduled, so the time is checked in the tick after it.
      process.nextTick(() => {
        if (performance.now() < end) startNext();
        else setImmediate(() => this.#startSome());
      });
    };
    startNext();
  }
}
