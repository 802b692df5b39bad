import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { CsvRow } from '../../src/files/csv-row-reader.ts';
import { openFile, type ReadingOptions } from '../../src/files/open-file.ts';
import { UnusableFile } from '../../src/files/parsed.ts';
import { readCsv } from '../../src/files/read-csv.ts';
import { row, workbook, workbookParts, type ZipEntry, zip } from '../support/workbook.ts';
import { fileWith, flatten } from './fake-file.ts';

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>`;

async function rowsOf(
  t: TestContext,
  contents: Buffer,
  options: ReadingOptions & { ignored?: readonly string[] } = {},
): Promise<{ columns: string[]; rows: CsvRow[] }> {
  const file = await openFile(await fileWith(t, contents), options);
  const { columns, rows } = readCsv(file, [], () => options.ignored ?? []);
  return { columns, rows: await flatten(rows) };
}

async function cellsOf(t: TestContext, contents: Buffer): Promise<string[][]> {
  return (await rowsOf(t, contents)).rows.map(({ cells }) => cells);
}

/** The text of one cell, which has this XML. */
async function textOf(
  t: TestContext,
  cell: string,
  styles = '',
  is1904 = false,
): Promise<string | undefined> {
  const sheets = { Products: row('identifier', 'value') + row('A', cell) };
  const [first] = await cellsOf(t, zip(workbookParts({ sheets, styles, is1904 })));
  return first?.[1];
}

async function failsWith(t: TestContext, contents: Buffer, message: RegExp, options?: ReadingOptions) {
  await assert.rejects(rowsOf(t, contents, options), (error) => {
    assert.ok(error instanceof UnusableFile, String(error));
    assert.match(error.message, message);
    return true;
  });
}

describe('a workbook', () => {
  it('has the rows after the first one with cells, by their numbers, without blank ones', async (t) => {
    const data = [
      '<row r="2"/>',
      '<row r="3"><c r="B3" t="inlineStr"><is><t> identifier </t></is></c><c r="D3" t="s"><v>0</v></c></row>',
      '<row r="5"><c r="B5" t="s"><v>1</v></c><c r="C5"><v>7</v></c><c r="D5"><v>8</v></c><c r="F5"><v>9</v></c></row>',
      '<row r="6"><c r="B6" s="3"/></row>',
      '<row><c t="inlineStr"><is><t>left</t></is></c><c t="inlineStr"><is><t>B</t></is></c></row>',
    ];
    const strings =
      '<si><t>Retail&#10;price</t></si><si><r><t>A</t></r><r><t xml:space="preserve"> 1</t></r><rPh><t>x</t></rPh></si>';
    const { columns, rows } = await rowsOf(
      t,
      zip(workbookParts({ sheets: { Products: data.join('') }, strings })),
    );
    assert.deepEqual(columns, ['', 'identifier', '', 'Retail price']);
    assert.deepEqual(
      rows.map(({ line, cells }) => [line, ...cells]),
      [
        [5, '', 'A 1', '', '8'],
        [7, '', 'B', '', ''],
      ],
    );
  });

  it('has numbers as a person would type them', async (t) => {
    for (const [stored, text] of [
      ['49.9', '49.9'],
      ['49.899999999999999', '49.9'],
      ['0.30000000000000004', '0.3'],
      ['123', '123'],
      ['1.0', '1'],
      ['4006381333931', '4006381333931'],
      ['4.006381333931E+12', '4006381333931'],
      ['9007199254740991', '9007199254740991'],
      ['1E+22', '10000000000000000000000'],
      ['1.5E-7', '0.00000015'],
      ['-2.5E-8', '-0.000000025'],
      ['-0', '0'],
      ['-12.5', '-12.5'],
    ] as const)
      assert.equal(await textOf(t, `<c><v>${stored}</v></c>`), text, stored);
  });

  it('has the zeros of a number that is stored as text', async (t) => {
    assert.equal(await textOf(t, '<c t="inlineStr"><is><t>00123</t></is></c>'), '00123');
  });

  it('has dates in RFC 3339, from both epochs, and only where the format shows one', async (t) => {
    for (const [style, stored, text, is1904] of [
      [1, '46054', '2026-02-01T00:00:00Z'],
      [2, '46054.5', '2026-02-01T12:00:00Z'],
      [2, '46053.999988425923', '2026-01-31T23:59:59Z'],
      [1, '59', '1900-02-28T00:00:00Z'],
      [1, '61', '1900-03-01T00:00:00Z'],
      [1, '44592', '2026-02-01T00:00:00Z', true],
      [4, '0.75', '18:00:00'],
      [3, '46054', '46054'],
      [0, '46054', '46054'],
      [1, '-1', '-1'],
      [1, '2958466', '2958466'],
    ] as const)
      assert.equal(await textOf(t, `<c s="${style}"><v>${stored}</v></c>`, STYLES, is1904), text, stored);
    assert.equal(await textOf(t, '<c t="d"><v>2026-02-01T12:00:00</v></c>'), '2026-02-01T12:00:00Z');
  });

  it('has booleans, stored results of formulas, and characters that XML cannot contain', async (t) => {
    assert.equal(await textOf(t, '<c t="b"><v>1</v></c>'), 'TRUE');
    assert.equal(await textOf(t, '<c t="b"><v>0</v></c>'), 'FALSE');
    assert.equal(await textOf(t, '<c><f>1+1</f><v>2</v></c>'), '2');
    assert.equal(await textOf(t, '<c t="str"><f>"a"</f><v>a</v></c>'), 'a');
    assert.equal(await textOf(t, '<c t="str"><f>""</f><v></v></c>'), '');
    assert.equal(
      await textOf(t, '<c t="inlineStr"><is><t>a_x0009_b_x005F_x0041_ &lt;&#x20AC;&amp;amp;</t></is></c>'),
      'a\tb_x0041_ <€&amp;',
    );
  });

  it('rejects a row with an error or without the result of a formula, by its number, in used columns', async (t) => {
    const contents = workbook(
      row('identifier', 'price', 'margin'),
      row('A', 1, 2),
      row('B', '<c t="e"><f>VLOOKUP(1,A:A,1)</f><v>#N/A</v></c>', 2),
      row('C', 1, '<c t="e"><v>#DIV/0!</v></c>'),
      row('D', '<c><f>1+1</f></c>', 2),
      row('E', '<c t="s"><v>99</v></c>', 2),
      row('F', '<c><v>many</v></c>', 2),
    );
    const { rows } = await rowsOf(t, contents, { ignored: ['margin'] });
    assert.deepEqual(
      rows.flatMap(({ rejections }) =>
        rejections.map(({ line, column, value, reason }) => [line, column, value, reason]),
      ),
      [
        [3, 'price', '#N/A', 'the cell has the error #N/A; correct it in the workbook'],
        [
          5,
          'price',
          '',
          'the formula has no stored result; open the file in a spreadsheet program, save it, and upload it again',
        ],
        [6, 'price', '99', 'the workbook lacks the text of this cell'],
        [7, 'price', 'many', 'expected a number in this cell'],
      ],
    );
  });

  it('is its first visible sheet, or the one that is named', async (t) => {
    const sheets = {
      Notes: row('x'),
      Prices: row('identifier') + row('P'),
      Stock: row('identifier') + row('S'),
    };
    const contents = zip(workbookParts({ sheets, hidden: ['Notes'] }));
    assert.deepEqual(await cellsOf(t, contents), [['P']]);
    const { rows } = await rowsOf(t, contents, { sheet: 'stock' });
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      [['S']],
    );
    await failsWith(t, contents, /There is no sheet “Notes”; sheets found: Prices, Stock$/, {
      sheet: 'Notes',
    });
    const file = await openFile(await fileWith(t, contents));
    assert.deepEqual([file.sheet?.name, file.sheet?.names], ['Prices', ['Prices', 'Stock']]);
    await file.close();
    await failsWith(t, zip(workbookParts({ sheets: { Empty: '' } })), /The sheet “Empty” is empty$/);
  });

  it('can have prefixes in its XML, and names of parts in other capitals', async (t) => {
    const parts = workbookParts({ sheets: { Products: row('identifier') + row('A') } });
    const prefixed = (xml: string) => xml.replaceAll(/<(\/?)(?=\w)/g, '<$1x:');
    const sheet = 'xl/worksheets/sheet1.xml';
    const { [sheet]: data = '', ...others } = parts;
    const contents = zip({
      ...others,
      'xl/workbook.xml': prefixed(parts['xl/workbook.xml'] ?? '').replaceAll('r:id', 'rel:id'),
      'xl/Worksheets/Sheet1.xml': `<?xml version="1.0" encoding="UTF-8"?>\n${prefixed(data)}`,
    });
    assert.deepEqual(await cellsOf(t, contents), [['A']]);
  });

  it('keeps texts apart and in order, however many there are, in bounded memory', async (t) => {
    const count = 100_000;
    const textAt = (index: number) =>
      `${createHash('sha256').update(String(index)).digest('hex').repeat(4)} €${index}`;
    let strings = '<si><t>identifier</t></si><si><t>title</t></si>';
    for (let index = 0; index < count; index += 1) strings += `<si><t>${textAt(index)}</t></si>`;
    let data = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>';
    for (let index = 0; index < count; index += 1) {
      // Jumps through the pages.
      const other = (index * 7919) % count;
      data += `<row><c><v>${index}</v></c><c t="s"><v>${other + 2}</v></c></row>`;
    }
    const { rows } = await rowsOf(t, zip(workbookParts({ sheets: { Products: data }, strings })));
    assert.equal(rows.length, count);
    assert.ok(rows.every(({ cells }, index) => cells[1] === textAt((index * 7919) % count)));
  });

  it('is not read beyond its header if only that is needed', async (t) => {
    const data = row('identifier', 'title') + row('A', 'x'.repeat(1000)).repeat(10_000);
    const parts = workbookParts({ sheets: { Products: data } });
    let bytes = 0;
    const beforeChunk = async (more: number): Promise<void> => {
      bytes += more;
    };
    const file = await openFile(await fileWith(t, zip(parts)), { startOnly: true, beforeChunk });
    assert.deepEqual(file.sheet?.columns, ['identifier', 'title']);
    assert.ok(bytes < 1_000_000, `${bytes} bytes`);
    await file.close();
    const late = '<si><t>x</t></si>'.repeat(200_000);
    const header = '<row><c t="s"><v>200000</v></c></row>';
    const strings = `${late}<si><t>identifier</t></si>`;
    const path = await fileWith(t, zip(workbookParts({ sheets: { Products: header }, strings })));
    const other = await openFile(path, { startOnly: true });
    assert.equal(other.sheet?.columns, undefined);
    await other.close();
    const whole = await openFile(path);
    assert.deepEqual(whole.sheet?.columns, ['identifier']);
    await whole.close();
  });

  it('reports its progress, and closes its files when reading ends or stops', async (t) => {
    const rows = Array.from({ length: 20_000 }, (_, index) => row(`P-${index}`, index)).join('');
    const path = await fileWith(t, workbook(row('identifier', 'price'), rows));
    const isOpen = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) =>
        readlink(`/proc/self/fd/${fd}`).catch(() => ''),
      );
      return (await Promise.all(links)).includes(path);
    };
    const reports: number[] = [];
    const file = await openFile(path, { onProgress: (bytes) => reports.push(bytes) });
    await flatten(readCsv(file, []).rows);
    assert.deepEqual(
      reports,
      [...reports].sort((one, other) => one - other),
    );
    assert.equal(reports.at(-1), file.totalBytes);
    assert.equal(await isOpen(), false);
    const stopped = await openFile(path);
    for await (const _ of readCsv(stopped, []).rows) break;
    await stopped.close();
    const unread = await openFile(path);
    await unread.close();
    await unread.close();
    for (let tries = 0; tries < 50 && (await isOpen()); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await isOpen(), false);
  });
});

describe('a file that is no usable workbook', () => {
  const parts = workbookParts({ sheets: { Products: row('identifier') + row('A') } });
  const sheet = 'xl/worksheets/sheet1.xml';
  const withSheet = (xml: string | ZipEntry) => zip({ ...parts, [sheet]: xml });

  it('says which other format it is, and what was expected', async (t) => {
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);
    for (const [contents, message] of [
      [old, /in the old format \(\.xls\), or one with a password\. Save it as \.xlsx without a password/],
      [
        zip({ 'content.xml': '<x/>', 'META-INF/manifest.xml': '<x/>' }),
        /OpenDocument file \(\.ods\)\. Save it as \.xlsx/,
      ],
      [
        zip({ '_rels/.rels': '<x/>', 'xl/workbook.bin': 'x' }),
        /binary Excel workbook \(\.xlsb\)\. Save it as \.xlsx/,
      ],
      [zip({ 'pots.csv': 'identifier\n' }), /This is a ZIP archive\. Unpack it, then upload/],
      [gzipSync(zip(parts)), /This is a gzipped ZIP archive\. Unpack it with gunzip/],
      [zip({ ...parts, 'xl/workbook.xml': '<workbook/>' }), /The workbook has no sheet with cells$/],
    ] as const)
      await failsWith(t, contents, message);
  });

  it('ignores macros and everything else that is no data', async (t) => {
    const contents = zip({
      ...parts,
      'xl/vbaProject.bin': Buffer.alloc(1000, 7),
      'xl/media/image1.png': 'x',
    });
    assert.deepEqual(await cellsOf(t, contents), [['A']]);
  });

  it('is damaged: truncated, with a wrong size or checksum, or encrypted', async (t) => {
    const whole = zip(parts);
    await failsWith(t, whole.subarray(0, whole.length - 30), /damaged or incomplete/);
    await failsWith(t, whole.subarray(0, 200), /damaged or incomplete/);
    const xml = parts[sheet] ?? '';
    await failsWith(t, withSheet({ content: xml, statedBytes: 10 }), /damaged or incomplete/);
    await failsWith(t, withSheet({ content: xml, statedBytes: 100_000 }), /damaged or incomplete/);
    await failsWith(t, withSheet({ content: xml, statedChecksum: 7 }), /has another checksum/);
    await failsWith(t, withSheet({ content: xml, flags: 1 }), /has a password/);
  });

  it('unpacks to more than is allowed, or to far more than its size', async (t) => {
    const bomb = withSheet(`<worksheet><sheetData>${' '.repeat(40_000_000)}</sheetData></worksheet>`);
    assert.ok(bomb.length < 100_000);
    await failsWith(t, bomb, /unpacks to more than 250 times its size/);
    await failsWith(t, bomb, /unpacks to more than the limit of 1 MB$/, { maximumBytes: 1024 * 1024 });
    const lying = withSheet({ content: ' '.repeat(40_000_000), statedBytes: 1000 });
    await failsWith(t, lying, /damaged or incomplete/);
  });

  it('has XML with a document type definition, endless tags, or deep nesting', async (t) => {
    const entity =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData>&b;</sheetData></worksheet>';
    await failsWith(t, withSheet(entity), /document type definition$/);
    const noise = createHash('shake256', { outputLength: 1_600_000 }).update('x').digest('base64');
    await failsWith(t, withSheet(`<worksheet a="${noise}"/>`), /an XML tag is too long$/);
    await failsWith(t, withSheet(`<worksheet><!-- ${noise} --></worksheet>`), /an XML tag is too long$/);
    await failsWith(t, withSheet('<a>'.repeat(100)), /nested too deeply$/);
    const attributes = Array.from({ length: 300 }, (_, index) => `a${index}="1"`).join(' ');
    await failsWith(t, withSheet(`<worksheet ${attributes}/>`), /too many attributes$/);
    await failsWith(t, zip({ ...parts, [sheet]: Buffer.from([0x3c, 0xff, 0xfe]) }), /is not UTF-8$/);
  });

  it('has rows or cells that cannot be in a sheet', async (t) => {
    const data = (rows: string) => zip(workbookParts({ sheets: { Products: row('identifier') + rows } }));
    await failsWith(t, data('<row r="1048577"><c><v>1</v></c></row>'), /rows of the sheet are not in order$/);
    await failsWith(t, data('<row r="1"><c><v>1</v></c></row>'), /rows of the sheet are not in order$/);
    await failsWith(t, data('<row><c r="ZZZZ2"><v>1</v></c></row>'), /cells of the sheet are not in order$/);
    await failsWith(t, data('<row><c r="7"><v>1</v></c></row>'), /cells of the sheet are not in order$/);
    await failsWith(
      t,
      data('<row><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>'),
      /cells of the sheet are not in order$/,
    );
  });

  it('is read up to a damaged part, and the rows before it are there', async (t) => {
    const good = Array.from({ length: 5000 }, (_, index) => row(`P-${index}`)).join('');
    const contents = zip(
      workbookParts({ sheets: { Products: `${row('identifier')}${good}<row r="1"><c><v>1</v></c></row>` } }),
    );
    const file = await openFile(await fileWith(t, contents));
    const rows: CsvRow[] = [];
    await assert.rejects(async () => {
      for await (const batch of readCsv(file, []).rows) rows.push(...batch);
    }, /not in order/);
    assert.equal(rows.length, 5000);
  });

  it('has a row that is too long, which is rejected alone', async (t) => {
    const noise = createHash('shake256', { outputLength: 1_600_000 }).update('y').digest('base64');
    const columns = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const cells = columns.map((_, index) => (index === 0 ? 'LONG' : noise.slice(index, 250_000 + index)));
    const { rows } = await rowsOf(t, workbook(row(...columns), row('A'), row(...cells), row('B')));
    assert.deepEqual(
      rows.map(({ cells: [first], rejections }) => [first, rejections.map(({ reason }) => reason)]),
      [
        ['A', []],
        ['LONG', ['the row is longer than 4 MiB']],
        ['B', []],
      ],
    );
  });
});
