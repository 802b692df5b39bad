import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import type { Fault } from './faulty-proxy.ts';

/** Records of which each has its number, from 1, in place of `{n}`. */
export interface RecordStream {
  record: object;
  count: number;
  /** Thrown after the records. */
  failure?: string;
}

/** What a runner gets as a line of JSON: a call of a client's method, named as in TypeScript. */
export interface Command {
  api: 'merchant' | 'operator';
  /** The client's options. Times are in seconds. */
  client: Record<string, unknown>;
  call: string;
  /** `{"$file": path}` is a file, and `{"$records": RecordStream}` a function that returns records. */
  args: readonly unknown[];
  options: Record<string, unknown>;
  /** How many items of an iterator to read. Default: all. */
  take?: number;
}

/** What a runner prints: the value with the fields that the client's types have, or the error. */
export interface Outcome {
  value?: unknown;
  etag?: string | null;
  /** A record as it was received. */
  raw?: unknown;
  error?: { kind: string; message: string; [name: string]: unknown };
}

/** An outcome or a request matches if it has at least what the step states: see `assertMatches`. */
export interface Step extends Partial<Omit<Command, 'client'>> {
  call: string;
  client?: Record<string, unknown>;
  /** The key that the client has. Default: the merchant's live key, or the operator's. */
  key?: 'live' | 'test' | 'unknown';
  /** The token of a key that an earlier step created. */
  token?: string;
  /** What happens to the requests, in order. */
  faults?: Fault[];
  /** Repeat the call until the value matches. */
  until?: unknown;
  returns?: unknown;
  fails?: Record<string, unknown>;
  /** The `etag` or `raw` of a returned record. */
  etag?: unknown;
  raw?: unknown;
  requests?: unknown[];
  /** Whether all requests have the same `Idempotency-Key`. */
  sameKey?: true;
  seconds?: { atLeast?: number; atMost?: number };
  /** Wait for a message with such an event at the URL `${receiver}`. It is then `${message}`. */
  message?: unknown;
  /** The name for `${name.value…}` in later steps. */
  as?: string;
}

export interface Scenario {
  name: string;
  /** What the merchant has at first. */
  given?: { products?: RecordStream; schedules?: Omit<ScheduleDraft, 'merchant'>[] };
  steps: Step[];
}

export function readScenarios(): Scenario[] {
  const path = join(import.meta.dirname, '../../clients/scenarios.json');
  return JSON.parse(readFileSync(path, 'utf8')).scenarios;
}

/** Replaces `${name.path}` in texts. A text that is nothing else becomes the value itself. */
export function resolve(value: unknown, variables: Record<string, unknown>): unknown {
  if (typeof value === 'string') {
    const [whole, path] = /^\$\{([\w.]+)\}$/.exec(value) ?? [];
    if (whole !== undefined && path !== undefined) return lookUp(path, variables);
    return value.replaceAll(/\$\{([\w.]+)\}/g, (_, inner: string) => String(lookUp(inner, variables)));
  }
  if (Array.isArray(value)) return value.map((one) => resolve(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, variables)]));
}

function lookUp(path: string, variables: Record<string, unknown>): unknown {
  let value: unknown = variables;
  for (const name of path.split('.')) {
    assert.ok(
      typeof value === 'object' && value !== null && name in value,
      `\${${path}}: there is no ${name}`,
    );
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/**
 * Throws unless a value has at least what is expected: each member of an object, each item of a list. A text
 * between slashes is a regular expression. `{"$count": 3}` is a list of this length, `{"$some": …}` one with
 * such an item, and `{"$missing": true}` no value.
 */
export function assertMatches(actual: unknown, expected: unknown, at: string): void {
  const fail = (): never => assert.fail(`${at}: expected ${JSON.stringify(expected)}, got ${shown(actual)}`);
  if (typeof expected === 'string' && /^\/.*\/$/.test(expected)) {
    if (typeof actual !== 'string' || !new RegExp(expected.slice(1, -1)).test(actual)) fail();
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) fail();
    else for (const [index, one] of expected.entries()) assertMatches(actual[index], one, `${at}[${index}]`);
  } else if (typeof expected !== 'object' || expected === null) {
    if (!isDeepStrictEqual(actual, expected)) fail();
  } else if ('$count' in expected) {
    if (!Array.isArray(actual) || actual.length !== expected.$count) fail();
  } else if ('$some' in expected) {
    if (!Array.isArray(actual) || !actual.some((one) => isMatch(one, expected.$some))) fail();
  } else if ('$missing' in expected) {
    if (actual !== undefined) fail();
  } else {
    if (typeof actual !== 'object' || actual === null) fail();
    for (const [name, one] of Object.entries(expected))
      assertMatches((actual as Record<string, unknown>)[name], one, `${at}.${name}`);
  }
}

export function isMatch(actual: unknown, expected: unknown): boolean {
  try {
    assertMatches(actual, expected, '');
    return true;
  } catch {
    return false;
  }
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 2_000);
}
