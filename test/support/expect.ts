import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import type { Ended } from './process.ts';

/** Checks an error answer: its status, the headers of part 7 of the specification, and its one attribute. */
export function expectError(answer: Answer, status: number, message: RegExp | string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'no-cache');
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.match(answer.header('x-request-id'), /^.+$/);
  assert.deepEqual(Object.keys(answer.json<object>()), ['message']);
  if (typeof message === 'string') assert.equal(answer.message, message);
  else assert.match(answer.message, message);
}

/** Checks that the service did not start: one line that names what is wrong, and status 1. */
export function expectNoStart({ status, stdout, stderr }: Ended, message: RegExp): void {
  assert.equal(status, 1, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^tradepost: [^\n]+\n$/);
  assert.match(stderr, message);
}
