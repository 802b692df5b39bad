import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import {
  decodeError,
  type EncodedError,
  encodeError,
  threadErrors,
} from '../../src/database/encode-error.ts';
import { errors } from '../../src/errors/errors.ts';
import { ThreadCalls } from '../../src/shared/thread-calls.ts';

/** Replies to `ping` and `answer`, exits on `exit`, and never returns to its event loop after `hang`. */
const THREAD = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', ({ id, command, ms }) => {
    if (command === 'exit') process.exit(1);
    if (command === 'hang') for (;;);
    if (command === 'work') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    if (command !== 'wait') parentPort.postMessage({ id, result: threadId });
  });`;

type Command = { command: 'answer' | 'exit' | 'hang' | 'wait' } | { command: 'work'; ms: number };

function callsTo(threads: Worker[], silenceMs: number): ThreadCalls<Command, EncodedError> {
  return new ThreadCalls<Command, EncodedError>({
    ...threadErrors,
    start: () => {
      const thread = new Worker(THREAD, { eval: true });
      threads.push(thread);
      return thread;
    },
    silenceMs,
  });
}

describe('calls to a thread', () => {
  it('fail if the thread dies, and the next call starts another', async () => {
    const threads: Worker[] = [];
    const calls = callsTo(threads, 60_000);
    const before = await calls.call({ command: 'answer' });
    const waiting = [calls.call({ command: 'wait' }), calls.call({ command: 'exit' })];
    for (const { status, reason } of await Promise.allSettled(waiting).then(
      (all) => all as PromiseRejectedResult[],
    )) {
      assert.equal(status, 'rejected');
      assert(reason instanceof DatabaseUnavailable, String(reason));
    }
    assert.notEqual(await calls.call({ command: 'answer' }), before);
    assert.equal(threads.length, 2);
    await calls.terminate();
  });

  it('fail if the thread hangs. It is ended, and another one starts', async () => {
    const threads: Worker[] = [];
    const calls = callsTo(threads, 300);
    const hung = await calls.call({ command: 'answer' });
    await assert.rejects(calls.call({ command: 'hang' }), DatabaseUnavailable);
    await assert.rejects(calls.call({ command: 'answer' }), DatabaseUnavailable);
    await new Promise((resolve) => threads[0]?.once('exit', resolve));
    assert.notEqual(await calls.call({ command: 'answer' }), hung);
    await calls.terminate();
  });

  it('may take as long as they need if the thread still runs its event loop', async () => {
    const threads: Worker[] = [];
    const calls = callsTo(threads, 1_500);
    const waiting = calls.call({ command: 'wait' });
    waiting.catch(() => {});
    for (let call = 0; call < 8; call += 1) await calls.call({ command: 'work', ms: 250 });
    assert.equal(threads.length, 1);
    await calls.terminate();
    await assert.rejects(waiting, DatabaseUnavailable);
  });

  it('throw errors of the same class, with all that clients learn', () => {
    const sent = errors.invalid_parameters([{ field: 'name', reason: 'missing' }]);
    const received = decodeError(structuredClone(encodeError(sent)));
    assert.deepEqual(received, sent);
    assert.equal(received.constructor, sent.constructor);
    assert(decodeError(encodeError(new DatabaseUnavailable('full'))) instanceof DatabaseUnavailable);
  });
});
