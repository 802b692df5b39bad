import assert from 'node:assert/strict';
import type { Answer } from './client.ts';

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
