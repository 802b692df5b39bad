import type { Value } from '../statement.ts';

const CHUNK_LENGTH = 256 * 1024;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function* copyText(rows: readonly Value[][]): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map(field).join('\t')}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function field(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return `\\\\x${Buffer.from(value).toString('hex')}`;
  return value.replace(/[\\\n\r\t]/g, (letter) => ESCAPES[letter] ?? letter);
}
