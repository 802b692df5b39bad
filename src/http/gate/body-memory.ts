import type { FastifyReply, FastifyRequest } from 'fastify';
import { OVERLOADED } from '../responses/request-errors.ts';
import type { OverloadControl } from './overload-control.ts';
import { isOfNetwork } from './queued-requests.ts';

const MIB = 1024 * 1024;
const MAX_OF_MERCHANT = 32 * MIB;
/** For bodies whose sender is not known yet. All networks together have as much as one merchant. */
const MAX_OF_NETWORK = 8 * MIB;
const MAX_OF_NETWORKS = 32 * MIB;
const MAX_OF_ALL = 256 * MIB;

interface Reservation {
  bytes: number;
  hasArrived: () => boolean;
  withdraw: () => void;
}

interface QueueMemory {
  bytes: number;
  /** Oldest first. */
  reservations: Set<Reservation>;
}

/** Bounds the memory of large post data and of held files, which clients can send slowly. */
export class BodyMemory {
  readonly #overloadControl: OverloadControl;
  readonly #queues = new Map<string, QueueMemory>();
  #reserved = 0;
  #ofNetworks = 0;

  constructor(overloadControl: OverloadControl) {
    this.#overloadControl = overloadControl;
  }

  /**
   * Reserves memory for the post data of a queue's request until its response is over. If there is too little
   * memory, the queue with the most loses its oldest post data that is still arriving: the signal of that
   * reservation is aborted, and its request must be refused. Networks lose theirs first, and only networks
   * give way to a network.
   * @throws {DomainError} `overloaded` if the queue would have more than its maximum, or more than others
   */
  reserve(queue: string, bytes: number, { raw }: FastifyRequest, reply: FastifyReply): AbortSignal {
    const { socket } = raw;
    const withdrawn = new AbortController();
    if (socket.destroyed) return withdrawn.signal;
    const wanted = (this.#queues.get(queue)?.bytes ?? 0) + bytes;
    const isNetwork = isOfNetwork(queue);
    const maximum = isNetwork ? MAX_OF_NETWORK : MAX_OF_MERCHANT;
    const isFull = (): boolean =>
      this.#reserved + bytes > MAX_OF_ALL || (isNetwork && this.#ofNetworks + bytes > MAX_OF_NETWORKS);
    while (wanted <= maximum && isFull()) {
      const slow = this.#findSlow(wanted, isNetwork);
      if (slow === undefined) break;
      this.#overloadControl.noteShed();
      slow.withdraw();
    }
    if (wanted > maximum || isFull()) {
      this.#overloadControl.noteShed();
      throw OVERLOADED;
    }
    const release = (): void => {
      reply.raw.off('close', release);
      socket.off('close', release);
      this.#remove(queue, reservation);
    };
    const withdraw = (): void => {
      release();
      withdrawn.abort();
    };
    const reservation = { bytes, hasArrived: () => raw.complete, withdraw };
    this.#add(queue, reservation);
    reply.raw.once('close', release);
    // A response that waits for earlier responses on its connection does not close with it.
    socket.once('close', release);
    return withdrawn.signal;
  }

  /** Networks give way to merchants, however little they have. */
  #findSlow(wanted: number, isNetwork: boolean): Reservation | undefined {
    const ofNetwork = this.#findSlowAmong(isOfNetwork, isNetwork ? wanted : 0);
    if (ofNetwork !== undefined || isNetwork) return ofNetwork;
    return this.#findSlowAmong((queue) => !isOfNetwork(queue), wanted);
  }

  /** Finds the oldest arriving post data of the queue that has the most memory, and at least this much. */
  #findSlowAmong(isCandidate: (queue: string) => boolean, minimum: number): Reservation | undefined {
    let most = minimum - 1;
    let found: Reservation | undefined;
    for (const [queue, { bytes, reservations }] of this.#queues) {
      if (bytes <= most || !isCandidate(queue)) continue;
      const slow = reservations.values().find(({ hasArrived }) => !hasArrived());
      if (slow !== undefined) [most, found] = [bytes, slow];
    }
    return found;
  }

  #add(queue: string, reservation: Reservation): void {
    const memory = this.#queues.get(queue) ?? { bytes: 0, reservations: new Set() };
    this.#queues.set(queue, memory);
    memory.bytes += reservation.bytes;
    memory.reservations.add(reservation);
    this.#count(queue, reservation.bytes);
  }

  #remove(queue: string, reservation: Reservation): void {
    const memory = this.#queues.get(queue);
    if (memory?.reservations.delete(reservation) !== true) return;
    memory.bytes -= reservation.bytes;
    if (memory.reservations.size === 0) this.#queues.delete(queue);
    this.#count(queue, -reservation.bytes);
  }

  #count(queue: string, bytes: number): void {
    this.#reserved += bytes;
    if (isOfNetwork(queue)) this.#ofNetworks += bytes;
  }
}
