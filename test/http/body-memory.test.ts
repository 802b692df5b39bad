import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { it } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyMemory } from '../../src/http/gate/body-memory.ts';
import { OverloadControl } from '../../src/http/gate/overload-control.ts';

const MIB = 1024 * 1024;

/** Reserves memory for post data that is still arriving. */
class Reservations {
  readonly #memory: BodyMemory;

  constructor() {
    const concurrency = { initial: 1, min: 1, max: 1 };
    this.#memory = new BodyMemory(new OverloadControl(concurrency, { onShed: () => {} }));
  }

  add(queue: string, mib: number): { withdrawn: AbortSignal; close: () => void } {
    const response = new EventEmitter();
    const socket = Object.assign(new EventEmitter(), { destroyed: false });
    const request = { raw: { socket, complete: false } } as unknown as FastifyRequest;
    const reply = { raw: response } as unknown as FastifyReply;
    const withdrawn = this.#memory.reserve(queue, mib * MIB, request, reply);
    return { withdrawn, close: () => void response.emit('close') };
  }

  /** Reserves this many times 1 MiB. */
  fill(queue: string, count: number): { withdrawn: AbortSignal; close: () => void }[] {
    return Array.from({ length: count }, () => this.add(queue, 1));
  }
}

const refused = { code: 'overloaded' };

it('a network holds 8 MiB, whatever the others hold, and gets it back when its requests end', () => {
  const reservations = new Reservations();
  const held = reservations.fill('network A', 8);
  assert.throws(() => reservations.add('network A', 1), refused);
  reservations.fill('network B', 8);
  for (const { close } of held) close();
  reservations.fill('network A', 8);
  assert.throws(() => reservations.add('network A', 1), refused);
});

it('all networks together hold 32 MiB: the oldest of one with the most gives way', () => {
  const reservations = new Reservations();
  const all = ['A', 'B', 'C', 'D'].map((name) => reservations.fill(`network ${name}`, 8));
  const last = reservations.add('network E', 1);
  assert.deepEqual(
    all.map((held) => held.map(({ withdrawn }) => withdrawn.aborted)),
    [[true, ...Array(7).fill(false)], ...Array(3).fill(Array(8).fill(false))],
  );
  assert.equal(last.withdrawn.aborted, false);
});

it('networks never take memory from merchants, and leave them seven eighths of it', () => {
  const reservations = new Reservations();
  const merchants = Array.from({ length: 7 }, (_, index) =>
    reservations.fill(`merchant ${index}`, 32),
  ).flat();
  for (const name of ['A', 'B', 'C', 'D']) reservations.fill(`network ${name}`, 8);
  assert.throws(() => reservations.add('network A', 1), refused);
  // A merchant takes memory from networks first.
  reservations.fill('merchant 7', 32);
  assert.ok(merchants.every(({ withdrawn }) => !withdrawn.aborted));
});

it('a network is refused while merchants use all memory', () => {
  const reservations = new Reservations();
  const merchants = Array.from({ length: 8 }, (_, index) =>
    reservations.fill(`merchant ${index}`, 32),
  ).flat();
  assert.throws(() => reservations.add('network A', 1), refused);
  assert.ok(merchants.every(({ withdrawn }) => !withdrawn.aborted));
});
