import { insertInto } from '../database/statement.ts';
import type { EventType } from './event-types.ts';

/** Until the event is numbered. */
export interface OutboxRow {
  merchant_id: number;
  id: string;
  type: EventType;
  occurred_at: number;
  revision: number | null;
  /** JSON. */
  data: string;
}

/** The database adds `written_at`. */
export const insertEvent = insertInto<OutboxRow>('outbox', [
  'merchant_id',
  'id',
  'type',
  'occurred_at',
  'revision',
  'data',
]);
