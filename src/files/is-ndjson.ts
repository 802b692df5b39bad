import type { OpenFile } from './open-file.ts';
import { UnusableFile } from './parsed.ts';

/**
 * Whether a file contains JSON objects rather than CSV.
 * @throws {UnusableFile} if it is one JSON array
 */
export function isNdjson({ path, start }: Pick<OpenFile, 'path' | 'start'>): boolean {
  const first = start.subarray(0, 1024).toString('latin1').trimStart()[0];
  if (first === '[') {
    throw new UnusableFile(`${path}: A JSON array; expected one JSON object per line (use jq -c '.[]')`);
  }
  return first === '{';
}
