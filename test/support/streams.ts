import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Rejection } from '../../src/files/parsed.ts';
import type { ImportSummary } from '../../src/files/run-import.ts';
import { importStream, type LineStream } from '../../src/imports/import-stream.ts';
import type { TestService } from './service.ts';

export type Streamed = ImportSummary & { rejections: Rejection[] };

/** Imports lines as the process of a stream of the operator does, without starting one. */
export async function streamLines(
  { database, config, now }: TestService,
  { id: merchantId }: { id: number },
  kind: LineStream['kind'],
  lines: readonly unknown[],
): Promise<Streamed> {
  const { lowInventory, lowBudget, encryptionKeyFile } = config;
  const outcome = await importStream(Promise.resolve(database), Readable.from([Buffer.from(textOf(lines))]), {
    ...{ merchantId, kind, who: OPERATOR, isCompressed: false },
    ...{ lowInventory, lowBudget, encryptionKeyFile, clockOffsetMs: now() - Date.now() },
  });
  assert.ok(outcome.kind === 'done', `not imported: ${JSON.stringify(outcome)}`);
  return { ...outcome.summary, rejections: outcome.rejections };
}

/** A text is a line as it is. */
export function textOf(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}
