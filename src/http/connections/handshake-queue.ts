import type { Socket } from 'node:net';
import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { networkOf } from '../gate/client-address.ts';

/** The time for starting handshakes in one turn of the event loop; the rest wait for the next turn. */
const MAX_TURN_MS = 5;

/**
 * Starts TLS handshakes. Each takes up to a millisecond of CPU time, so a thousand at once would block the
 * event loop. Networks take turns: one with many connections does not delay the others' handshakes.
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
      // Node computes the handshake in a tick that `start` schedules, so the time is checked a tick later.
      process.nextTick(() => {
        if (performance.now() < end) startNext();
        else setImmediate(() => this.#startSome());
      });
    };
    startNext();
  }
}
