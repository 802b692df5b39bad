import type { DatabaseSettings } from '../../database/open-database.ts';
import type { Rejection } from '../../files/parsed.ts';
import type { ImportSummary } from '../../files/run-import.ts';

/** What the lines of a stream are. */
export type StreamKind = 'products' | 'schedules';

/** The first message to the process that imports a stream. The lines follow on its standard input. */
export interface StreamCommand {
  settings: DatabaseSettings;
  lowInventory: number;
  merchantId: number;
  kind: StreamKind;
  isCompressed: boolean;
}

/** The result of a stream. */
export interface StreamResult {
  summary: ImportSummary;
  /** The first reasons for rejecting lines. */
  rejections: Rejection[];
  /** The number of further reasons. */
  unlisted: number;
}

/** The message with which the process ends. */
export type StreamReport =
  | ({ kind: 'done' } & StreamResult)
  | { kind: 'suspended' }
  | { kind: 'unusable'; reason: string }
  | { kind: 'failed'; isUnavailable: boolean; error: unknown };
