import type { DatabaseSettings } from '../../database/open-database.ts';
import type { Rejection } from '../../files/parsed.ts';
import type { ImportSummary } from '../../files/run-import.ts';

export type StreamKind = 'products' | 'schedules';

/** The first message to the process. The lines follow on its standard input. */
export interface StreamCommand {
  settings: DatabaseSettings;
  lowInventory: number;
  merchantId: number;
  kind: StreamKind;
  isCompressed: boolean;
}

export interface StreamResult {
  summary: ImportSummary;
  /** The first ones. */
  rejections: Rejection[];
  /** How many more there are. */
  unlisted: number;
}

/** The last message of the process. */
export type StreamReport =
  | ({ kind: 'done' } & StreamResult)
  | { kind: 'suspended' }
  | { kind: 'unusable'; reason: string }
  | { kind: 'failed'; isUnavailable: boolean; error: unknown };
