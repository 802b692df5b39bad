import type { FastifyReply, FastifyRequest } from 'fastify';
import { Tally } from '../../shared/tally.ts';
import { OVERLOADED } from '../responses/request-errors.ts';
import type { OverloadControl } from './overload-control.ts';

const MIB = 1024 * 1024;
/** Of one queue, and of all. */
const MAX_OF_QUEUE = 32 * MIB;
const MAX_OF_ALL = 256 * MIB;
const ALL = 'all';

/** Bounds the memory of large post data, which clients can send slowly. */
export class BodyMemory {
  readonly #overloadControl: OverloadControl;
  readonly #reserved = new Tally<string>();

  constructor(overloadControl: OverloadControl) {
    this.#overloadControl = overloadControl;
  }

  /**
   * Reserves memory for the post data of a queue's request until its response is over.
   * @throws {DomainError} `overloaded`
   */
  reserve(queue: string, bytes: number, { raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
    if (socket.destroyed) return;
    const reserved = this.#reserved;
    if (reserved.of(queue) + bytes > MAX_OF_QUEUE || reserved.of(ALL) + bytes > MAX_OF_ALL) {
      this.#overloadControl.noteShed();
      throw OVERLOADED;
    }
    reserved.add(queue, bytes);
    reserved.add(ALL, bytes);
    const release = (): void => {
      reply.raw.off('close', release);
      socket.off('close', release);
      reserved.subtract(queue, bytes);
      reserved.subtract(ALL, bytes);
    };
    reply.raw.once('close', release);
    // A response that waits for earlier responses on its connection does not close with it.
    socket.once('close', release);
  }
}
