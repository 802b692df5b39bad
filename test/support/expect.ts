import assert from 'node:assert/strict';
import { isErrorName } from '../../src/http/responses/statuses.ts';
import type { ClientResponse } from './client.ts';
import type { CommandResult } from './process.ts';

/** Also checks the headers of the specification's part 7, and that `message` is the only attribute. */
export function expectError(response: ClientResponse, status: number, message: RegExp | string): void {
  assert.equal(response.status, status, response.text);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(response.headers['cache-control'], 'no-cache');
  assert.equal(response.headers['access-control-allow-origin'], '*');
  assert.match(response.header('x-request-id'), /^.+$/);
  const code = response.header('tradepost-error');
  assert.ok(isErrorName(code), code);
  assert.equal(response.headers.link, `</errors#${code}>; rel="help"`);
  assert.deepEqual(Object.keys(response.json<object>()), ['message']);
  if (typeof message === 'string') assert.equal(response.message, message);
  else assert.match(response.message, message);
}

/** Matches the message about exactly these parameters, with any suggestion. */
export function unrecognized(...names: string[]): RegExp {
  const listed = names.map((name) => RegExp.escape(name)).join(', ');
  return new RegExp(
    `^The following parameters were provided but are not recognized: ${listed}\\.(?: Did you mean [^?]+\\?(?: Known: [\\w, ]+\\.)?)?$`,
  );
}

/** Expects exit status 1 and one line that explains why. */
export function expectStartFailure({ status, stdout, stderr }: CommandResult, message: RegExp): void {
  assert.equal(status, 1, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^tradepost: [^\n]+\n$/);
  assert.match(stderr, message);
}
