import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DomainError } from '../../src/errors/domain-error.ts';
import { bind, bindRecord } from '../../src/http/parameters/bind.ts';
import type { RawParameter } from '../../src/http/parameters/raw-parameters.ts';
import { mergeParameters } from '../../src/http/parameters/raw-parameters.ts';
import { boolean, int32, listOf, text } from '../../src/http/parameters/types.ts';
import { statusOf } from '../../src/http/responses/statuses.ts';
import { unrecognized } from '../support/expect.ts';
import { fc } from '../support/seed.ts';

const definitions = {
  name: { type: text(10), required: true },
  page: { type: int32(1) },
  flag: { type: boolean },
} as const;
const sent = (name: string, value: string, kind: RawParameter['kind'] = 'text'): RawParameter => ({
  name,
  kind,
  text: value,
});

function outcome(...given: RawParameter[]): unknown {
  try {
    return bind(definitions, mergeParameters(given));
  } catch (error) {
    assert.ok(error instanceof DomainError);
    assert.equal(statusOf(error), 400);
    return error.message;
  }
}

const anyGiven: fc.Arbitrary<RawParameter> = fc
  .record({
    name: fc.oneof(
      fc.constantFrom('name', 'page', 'flag', 'access_token', '__proto__', 'toString'),
      fc.string(),
    ),
    kind: fc.constantFrom('text', 'string', 'number', 'boolean', 'nested', 'malformed'),
    text: fc.oneof(fc.constantFrom('', '1', 'true'), fc.string({ unit: 'binary' })),
  })
  .map((given) => (given.kind === 'nested' || given.kind === 'malformed' ? { ...given, text: '' } : given));

describe('bind', () => {
  it('returns values of the right types, or one error that names every problem', () => {
    fc.assert(
      fc.property(fc.array(anyGiven, { maxLength: 6 }), fc.nat(6), (given, split) => {
        const parts = [given.slice(0, split), given.slice(split)];
        let bound: ReturnType<typeof bind<typeof definitions>>;
        try {
          bound = bind(definitions, mergeParameters(...parts));
        } catch (error) {
          assert.ok(error instanceof DomainError && statusOf(error) === 400);
          const unknown = given
            .map(({ name }) => name)
            .filter((name) => !['name', 'page', 'flag', 'access_token'].includes(name));
          for (const name of unknown) assert.ok(error.message.includes(name));
          assert.equal(
            error.message.startsWith('The following parameters were provided'),
            unknown.length > 0,
          );
          return;
        }
        assert.equal(typeof bound.name, 'string');
        assert.ok(bound.page === undefined || Number.isInteger(bound.page));
        assert.ok(bound.flag === undefined || typeof bound.flag === 'boolean');
      }),
      { numRuns: 1000 },
    );
  });

  it('omits blank and missing values', () => {
    assert.deepEqual(outcome(sent('name', 'n'), sent('page', ''), sent('flag', ' ')), { name: 'n' });
  });

  it('accepts a repeated value once, however it was sent', () => {
    const same = [
      sent('page', '2'),
      sent('page', '2', 'number'),
      sent('page', '2', 'string'),
      sent('page', ''),
    ];
    assert.deepEqual(outcome(sent('name', 'n'), ...same), { name: 'n', page: 2 });
  });

  it('rejects values that differ, and nested and malformed values even if they are equal', () => {
    const repeated = 'page: given more than once, with different values.';
    const name = sent('name', 'n');
    assert.equal(outcome(name, sent('page', '2'), sent('page', '02')), repeated);
    assert.equal(outcome(name, sent('page', '', 'nested'), sent('page', '', 'nested')), repeated);
    assert.equal(outcome(name, sent('page', '', 'malformed'), sent('page', '', 'malformed')), repeated);
    assert.equal(outcome(name, sent('page', '', 'nested'), sent('page', '', 'malformed')), repeated);
    assert.match(
      String(outcome(name, sent('page', '', 'nested'))),
      /^page: expected .*, not a list or an object\.$/,
    );
    assert.match(String(outcome(name, sent('page', '', 'malformed'))), /^page: expected .* in valid UTF-8/);
  });

  it('names every problem, in the order of the definitions', () => {
    const message = outcome(sent('flag', 'maybe'), sent('page', '0'));
    assert.match(
      String(message),
      /^name: missing, expected .*\. page: expected .*\. flag: expected .*, not "maybe"\.$/,
    );
  });

  it('names every unrecognized parameter once, including blank ones, and nothing else', () => {
    const message = outcome(
      sent('x', ''),
      sent('page', '0'),
      sent('y', '1'),
      sent('x', '2'),
      sent('Name', 'n'),
    );
    assert.match(String(message), unrecognized('x', 'y', 'Name'));
  });

  it('truncates a long value in the message between characters', () => {
    for (const long of ['x'.repeat(1000), `${'x'.repeat(59)}🏺${'x'.repeat(9)}`]) {
      const message = String(outcome(sent('name', 'n'), sent('page', long)));
      assert.ok(message.length < 150 && message.isWellFormed());
      assert.match(message, /…"\.$/);
    }
  });
});

describe('mergeParameters', () => {
  it('keeps only as many values of a name as are needed to reject it', () => {
    const values = Array.from({ length: 50_000 }, (_, index) => sent('page', String(index)));
    const began = performance.now();
    // JSON's null may be one of them, and counts as missing for most parameters.
    assert.equal(mergeParameters(values).get('page')?.length, 3);
    assert.ok(performance.now() - began < 500);
  });
});

it('a list of tens of thousands of numbered names takes no longer for each name than a short one', () => {
  const rules = { fees: { type: listOf('names', 3, { schema: { type: 'string' }, read: (name) => name }) } };
  const names = Array.from({ length: 70_000 }, (_, index) => sent(`fees[${index}]`, 'a'));
  const startedAt = performance.now();
  assert.deepEqual(bindRecord(rules, mergeParameters(names)), {
    problems: [{ field: 'fees', reason: 'expected at most 3 names, found 70000' }],
  });
  // One copy of the list for each name took half a minute.
  assert.ok(performance.now() - startedAt < 5_000);
});
