import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Rejection } from '../../src/files/parsed.ts';
import { RejectsFile } from '../../src/files/rejects-file.ts';
import { temporaryDirectory } from '../support/process.ts';
import { fc } from '../support/seed.ts';

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** A spreadsheet may drop these, or treat them as the quotes around a cell. */
const DROPPED = /^[\s\p{C}\p{Z}"'“”„«»]*/u;
const FORMULA = /^[=+\-@＝＋－＠]/;

const rejected = (value: string, line = 2): Rejection[] => [
  { line, column: 'title', value, reason: 'expected text' },
];

async function fileOf(t: TestContext, rows: Rejection[][]): Promise<string> {
  const path = join(await temporaryDirectory(t), 'rejects.csv');
  const file = await RejectsFile.open(path);
  for (const row of rows) file.write(row);
  await file.close();
  return await readFile(path, 'utf8');
}

/** Texts that some spreadsheet may treat as a cell, for any delimiter. */
function possibleCells(csv: string): string[] {
  return [',', ';', '\t', '|', ':', ' '].flatMap((delimiter) =>
    csv.split(/[\r\n\v\f\u0085\u2028\u2029]/).flatMap((line) => line.split(delimiter)),
  );
}

function assertHarmless(csv: string): void {
  for (const cell of possibleCells(csv)) {
    // An apostrophe at the beginning of a cell makes it text.
    const [dropped] = DROPPED.exec(cell) ?? [''];
    const content = cell.slice(dropped.length);
    if (!FORMULA.test(content) || NUMBER.test(content)) continue;
    assert.ok(dropped.endsWith("'"), `${JSON.stringify(cell)} is a formula in ${JSON.stringify(csv)}`);
  }
}

describe('the list of rejected rows', () => {
  const attacks: [value: string, written: string][] = [
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+1 555', "'+1 555"],
    ['-2+3', "'-2+3"],
    ['x;=1+1;y', "x;'=1+1;y"],
    ['x|=1', "x|'=1"],
    ['x\t=1', "x\t'=1"],
    ['x\n=1', "x\n'=1"],
    ['x\r\n=1', "x\r\n'=1"],
    ['x\u2028=1', "x\u2028'=1"],
    ['"=1"', `"'=1"`],
    ['x;"=1";y', `x;"'=1";y`],
    ['  =1', "  '=1"],
    ['x;  =1', "x;  '=1"],
    ['\u00a0=1', "\u00a0'=1"],
    ['\ufeff=1', "\ufeff'=1"],
    ['\u200b=1', "\u200b'=1"],
    ['\0=1', "\0'=1"],
    ['＝1+1', "'＝1+1"],
    ['x;＋1', "x;'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
    ['==1', "'==1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\t=1', "'\t'=1"],
  ];
  for (const [value, written] of attacks) {
    it(`contains no formula for ${JSON.stringify(value)}`, async (t) => {
      const csv = await fileOf(t, [rejected(value)]);
      assert.deepEqual(parse(csv)[1], ['2', 'title', written, 'expected text']);
      assertHarmless(csv);
    });
  }

  for (const value of [
    '-5',
    '-5.25',
    '-1e-7',
    '1,5',
    'Jean-Luc',
    'a=b',
    'mail@example.com',
    'C++',
    '2026-01-31',
  ]) {
    it(`keeps ${value} readable`, async (t) => {
      assert.equal(parse(await fileOf(t, [rejected(value)]))[1]?.[2], value);
    });
  }

  it('is valid CSV without a formula in any column, for any rejected value', async (t) => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(...'=+-@＝＋－＠,;|:\t\r\n "\'“\u00a0\u200b\u2028\u0085\0'),
          fc.constantFrom('a', '1', 'é', '5'),
        ),
        { maxLength: 8 },
      )
      .map((some) => some.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (column, value, reason) => {
        const csv = await fileOf(t, [[{ line: 2, column, value, reason }]]);
        assertHarmless(csv);
        const rows: string[][] = parse(csv);
        assert.deepEqual([rows.length, rows[1]?.length], [2, 4]);
        assert.equal(rows[1]?.[2]?.replaceAll("'", ''), value.replaceAll("'", ''));
      }),
      { numRuns: 200 },
    );
  });

  it('has no limit', async (t) => {
    const rows = Array.from({ length: 1000 }, (_, index) => rejected('x', index + 2));
    assert.equal(parse(await fileOf(t, rows)).length, 1001);
  });

  it('does not exist if no row was rejected, and can be read only by its owner', async (t) => {
    const path = join(await temporaryDirectory(t), 'rejects.csv');
    await (await RejectsFile.open(path)).close();
    await assert.rejects(stat(path), { code: 'ENOENT' });
    const file = await RejectsFile.open(path);
    file.write(rejected('x'));
    await file.close();
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });
});
