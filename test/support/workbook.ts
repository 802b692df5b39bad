import { crc32, deflateRawSync } from 'node:zlib';
import writeXlsxFile from 'write-excel-file/node';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const DEFLATED = 8;

/** What a ZIP entry states, if it is not the truth. */
export interface ZipEntry {
  content: string | Buffer;
  statedBytes?: number;
  statedChecksum?: number;
  flags?: number;
}

/** Writes a ZIP archive, also one that no program would write. */
export function zip(entries: Readonly<Record<string, string | Buffer | ZipEntry>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, entry] of Object.entries(entries)) {
    const {
      content,
      statedBytes,
      statedChecksum,
      flags = 0,
    }: ZipEntry = typeof entry === 'object' && 'content' in entry ? entry : { content: entry };
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt32LE(statedChecksum ?? crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(statedBytes ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([uint32(LOCAL_HEADER), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([uint32(CENTRAL_HEADER), uint16(20), common, rest, Buffer.from(name)]));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, uint32(END), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

interface WorkbookContent {
  /** The XML inside `sheetData`, by the name of the sheet. */
  sheets: Readonly<Record<string, string>>;
  /** The XML inside `sst`. */
  strings?: string;
  /** The XML inside `styleSheet`. */
  styles?: string;
  hidden?: readonly string[];
  is1904?: boolean;
}

/** Returns the parts of an Excel workbook, with the XML of its sheets as it is. */
export function workbookParts({
  sheets,
  strings = '',
  styles = '',
  hidden = [],
  is1904 = false,
}: WorkbookContent): Record<string, string> {
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  const related = [
    ...names.map((_, index) =>
      relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
    ),
    relationship('rIdStrings', 'sharedStrings', 'sharedStrings.xml'),
    relationship('rIdStyles', 'styles', 'styles.xml'),
  ];
  return {
    '_rels/.rels': `<Relationships>${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr date1904="${Number(is1904)}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${related.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((data, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
  };
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

/**
 * Returns the XML of a row with texts and numbers, or with the XML of whole cells: text that begins with
 * `<c`.
 */
export function row(...values: readonly (string | number | null)[]): string {
  return `<row>${values.map(cell).join('')}</row>`;
}

function cell(value: string | number | null): string {
  if (value === null) return '<c/>';
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (value.startsWith('<c')) return value;
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** A workbook with one sheet. */
export function workbook(...rows: readonly string[]): Buffer {
  return zip(workbookParts({ sheets: { Products: rows.join('') } }));
}

/** Writes a workbook with a program of others. Numbers are numbers, and everything else is text. */
export async function writtenWorkbook(
  rows: readonly (readonly (string | number | null)[])[],
): Promise<Buffer> {
  const cells = rows.map((values) =>
    values.map((value) =>
      value === null ? null : { value, type: typeof value === 'number' ? Number : String },
    ),
  );
  return await writeXlsxFile(cells).toBuffer();
}
