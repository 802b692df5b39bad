import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CsvRow } from '../../src/files/csv-row-reader.ts';
import { readCsv } from '../../src/files/read-csv.ts';
import { flatten, openText } from './fake-file.ts';

const rowsOf = (text: string | Buffer, sizes?: number[]): Promise<CsvRow[]> =>
  flatten(readCsv(openText(text, sizes), []).rows);
const accepted = (rows: CsvRow[]) =>
  rows.filter((row) => row.rejections.length === 0).map(({ cells }) => cells.join('|'));
const rejected = (rows: CsvRow[]) => rows.flatMap(({ rejections }) => rejections);

describe('readCsv', () => {
  it('detects comma, semicolon or tab from the header line', async () => {
    for (const delimiter of [',', ';', '\t']) {
      const text = `a${delimiter}"b,;\n\t"${delimiter}c\n1${delimiter}"2${delimiter}"${delimiter}3\n`;
      const { columns, rows } = readCsv(openText(text), []);
      assert.deepEqual(columns, ['a', 'b,;\n\t'.trim(), 'c']);
      assert.deepEqual(
        (await flatten(rows)).map(({ cells }) => cells),
        [['1', `2${delimiter}`, '3']],
      );
    }
  });

  it('returns the first line number of each row, across blank lines, blank rows, quoted line breaks and CRLF', async () => {
    const rows = await rowsOf('\r\na,b\r\n1,"x\r\ny"\r\n\r\n,\r\n2,z');
    assert.deepEqual(
      rows.map(({ line, cells }) => [line, ...cells]),
      [
        [3, '1', 'x\r\ny'],
        [7, '2', 'z'],
      ],
    );
  });

  it('rejects an invalid header with a reason', () => {
    const header =
      (text: string | Buffer, needed = ['identifier']) =>
      () =>
        readCsv(openText(text), needed);
    assert.throws(
      header('name,title\n1,2\n'),
      /^UnusableFile: test.csv: Missing column "identifier"; columns found: name, title$/,
    );
    assert.throws(header('a\n', ['b', 'c']), /Missing columns "b", "c"/);
    assert.throws(header('identifier,title,title\n'), /Duplicate column "title"$/);
    assert.throws(header('identifier,"title\n'), /The header line is not valid CSV$/);
    assert.throws(header('\n\r\n'), /No header line$/);
    assert.throws(header(Buffer.from('identifier,pr\xe9nom\n', 'latin1')), /The header line is not UTF-8/);
    assert.throws(header('identifier,title\rA,b\r'), /only a carriage return/);
    assert.throws(header(`identifier${' '.repeat(70_000)}`), /does not end within 64 KiB/);
  });

  it('accepts spaces around column names, and columns without a name', () => {
    assert.deepEqual(readCsv(openText('identifier , title,,\n'), ['identifier']).columns, [
      'identifier',
      'title',
      '',
      '',
    ]);
  });

  it('rejects a row with more or fewer cells than the header, and continues', async () => {
    const rows = await rowsOf('a,b\n1\n2,3\n4,5,6\n7,8\n');
    assert.deepEqual(accepted(rows), ['2|3', '7|8']);
    assert.deepEqual(rejected(rows), [
      { line: 2, column: null, value: '1', reason: 'expected 2 cells, as in the header line, found 1' },
      { line: 4, column: null, value: '4,5,6', reason: 'expected 2 cells, as in the header line, found 3' },
    ]);
  });

  it('names no cell that is UTF-8 next to one that is not', async () => {
    const rows = await rowsOf(Buffer.from('a,b\n\xc3\xa9,\xff\n', 'latin1'));
    assert.deepEqual(
      rejected(rows).map(({ column }) => column),
      ['b'],
    );
    assert.equal(rows[0]?.cells[0], 'é');
  });

  it('rejects a row with cells that are not UTF-8, and continues', async () => {
    const rows = await rowsOf(Buffer.from('a,b\nx,"caf\xe9, cr\xe8me"\ny,\xff\nz,ok\n', 'latin1'));
    assert.deepEqual(accepted(rows), ['z|ok']);
    const reason = 'the text is not UTF-8; save the file as UTF-8';
    assert.deepEqual(rejected(rows), [
      { line: 2, column: 'b', value: 'caf\ufffd, cr\ufffdme', reason },
      { line: 3, column: 'b', value: '\ufffd', reason },
    ]);
  });

  it('rejects a row with stray quotes, keeps the cells before them, and continues', async () => {
    const rows = await rowsOf('a,b\n1,5" pipe\n2,"x"y\n3,ok\n');
    assert.deepEqual(accepted(rows), ['3|ok']);
    assert.deepEqual(
      rows.map(({ cells }) => cells[0]),
      ['1', '2', '3'],
    );
    for (const { reason } of rejected(rows))
      assert.match(reason, /^an unclosed or unescaped quote; enclose a cell that contains quotes/);
  });

  it('rejects a row of 10 MB without keeping it, and continues', async () => {
    const long = Buffer.concat([
      Buffer.from('a,b\n1,first\n2,'),
      Buffer.alloc(10_000_000, 'x'),
      Buffer.from('\n3,last\n'),
    ]);
    const rows = await rowsOf(long);
    assert.deepEqual(accepted(rows), ['1|first', '3|last']);
    assert.deepEqual(
      rejected(rows).map(({ line, reason }) => [line, reason]),
      [[3, 'the row is longer than 4 MiB']],
    );
    assert.deepEqual(rows[1]?.cells, ['2']);
    assert.ok((rows[1]?.size ?? 0) < 5000);
    assert.equal(rows[2]?.line, 4);
  });

  it('rejects a row with an unclosed quote, short or long, and returns the rows before it', async () => {
    const short = await rowsOf('a,b\n1,ok\n2,"open\n3,x\n');
    assert.deepEqual(accepted(short), ['1|ok']);
    assert.match(
      rejected(short)[0]?.reason ?? '',
      /^an unclosed or unescaped quote \(the row continues to line 5\)/,
    );
    const long = await rowsOf(`a,b\n1,ok\n2,"open\n${'3,x\n'.repeat(1_500_000)}`);
    assert.deepEqual(accepted(long), ['1|ok']);
    assert.match(
      rejected(long)[0]?.reason ?? '',
      /longer than 4 MiB and continues to line 1500004; it may have an unclosed quote$/,
    );
  });

  it('reads the same rows from any chunks', async () => {
    const text = 'a,b\n1,"x ""y"" z"\n2,5" pipe\n3,"é\n,"\n\n4,ü,5\n6,7';
    const whole = await rowsOf(text);
    for (const sizes of [[1], [2], [3, 1], [5, 2]]) assert.deepEqual(await rowsOf(text, sizes), whole);
  });
});
