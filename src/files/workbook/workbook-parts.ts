import { posix } from 'node:path';
import { UnusableFile } from '../parsed.ts';
import { isBuiltInTimeFormat, isTimeFormat } from './cell-text.ts';
import { localName, readXmlTo } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

const MAX_SHEETS = 10_000;
/** Excel's own limit is 65,490. */
const MAX_STYLES = 100_000;

export interface SheetPart {
  name: string;
  part: string;
}

export interface WorkbookParts {
  /** The sheets with cells, in the order of their tabs: the visible ones, or all if none is visible. */
  sheets: SheetPart[];
  /** Undefined if the workbook has no shared strings. */
  strings: string | undefined;
  /** Whether days are counted from 1904, as Excel for Mac once did. */
  is1904: boolean;
  /** Whether cells with a style show a time, by the index of the style. */
  timeStyles: boolean[];
}

interface Relationship {
  type: string;
  part: string;
}

/**
 * Finds the parts of an Excel workbook. Everything but data is ignored, also macros.
 * @throws {UnusableFile} if it is no workbook, or has no sheet with cells
 */
export async function findWorkbookParts(path: string, parts: ZipParts): Promise<WorkbookParts> {
  const [root] = [...(await relationships(parts, '')).values()].filter(
    ({ type }) => type === 'officeDocument',
  );
  const workbook = root?.part ?? 'xl/workbook.xml';
  const related = await relationships(parts, workbook);
  const ofType = (wanted: string): string | undefined =>
    [...related.values()].find(({ type, part }) => type === wanted && parts.has(part))?.part;
  const all: (SheetPart & { isVisible: boolean })[] = [];
  let is1904 = false;
  await readXmlTo(parts.read(workbook), {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (element !== 'sheet') return;
      const relationship = related.get(idOf(attributes));
      if (relationship?.type !== 'worksheet' || !parts.has(relationship.part)) return;
      if (all.length === MAX_SHEETS) throw new UnusableFile(`${path}: The workbook has too many sheets`);
      const { name = '', state = 'visible' } = attributes;
      all.push({ name, part: relationship.part, isVisible: state === 'visible' });
    },
  });
  if (all.length === 0) throw new UnusableFile(`${path}: The workbook has no sheet with cells`);
  const visible = all.filter(({ isVisible }) => isVisible);
  const styles = ofType('styles');
  return {
    sheets: (visible.length > 0 ? visible : all).map(({ name, part }) => ({ name, part })),
    strings: ofType('sharedStrings'),
    is1904,
    timeStyles: styles === undefined ? [] : await readTimeStyles(parts, styles),
  };
}

/** Reads what a part refers to, by ID. The root of the archive has the name ''. */
async function relationships(parts: ZipParts, of: string): Promise<Map<string, Relationship>> {
  const found = new Map<string, Relationship>();
  const folder = posix.dirname(of === '' ? 'x' : of);
  const name = posix.join(folder, '_rels', `${posix.basename(of)}.rels`);
  if (!parts.has(name)) return found;
  await readXmlTo(parts.read(name), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (element !== 'Relationship' || found.size === MAX_SHEETS) return;
      const part = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part });
    },
  });
  return found;
}

/** The ID of a relationship has a prefix that each program chooses. */
function idOf(attributes: Readonly<Record<string, string>>): string {
  const name = Object.keys(attributes).find((name) => name.includes(':') && localName(name) === 'id');
  return name === undefined ? '' : (attributes[name] ?? '');
}

async function readTimeStyles(parts: ZipParts, part: string): Promise<boolean[]> {
  const timeFormats = new Map<number, boolean>();
  const styles: boolean[] = [];
  let list = '';
  await readXmlTo(parts.read(part), {
    open: (element, { numFmtId = '0', formatCode = '' }) => {
      if (element === 'numFmts' || element === 'cellXfs') list = element;
      const id = Number(numFmtId);
      if (list === 'numFmts' && element === 'numFmt' && timeFormats.size < MAX_STYLES)
        timeFormats.set(id, isTimeFormat(formatCode));
      if (list === 'cellXfs' && element === 'xf' && styles.length < MAX_STYLES)
        styles.push(timeFormats.get(id) ?? isBuiltInTimeFormat(id));
    },
    close: (element) => {
      if (element === list) list = '';
    },
  });
  return styles;
}
