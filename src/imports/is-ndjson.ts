import type { OpenFile } from './open-file.ts';
import { UnusableFile } from './parsed.ts';

/**
 * Whether a file holds JSON objects rather than CSV.
 * @throws {UnusableFile} where it is one JSON array
 */
export function isNdjson({ path, start }: Pick<OpenFile, 'path' | 'start'>): boolean {
  const first = start.subarray(0, 1024).toString('latin1').trimStart()[0];
  if (first === '[') {
    throw new UnusableFile(
      `${path}: it is a JSON array; expected one JSON object a line (jq -c '.[]' makes that)`,
    );
  }
  return first === '{';
}
