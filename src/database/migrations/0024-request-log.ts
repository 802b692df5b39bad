import type { Dialect } from '../database.ts';

/** Creates the log of merchants' failed calls, and the counts of calls per hour. Times are milliseconds. */
export function requestLog({ integer, text, compact }: Dialect): string[] {
  return [
    // `id` increases with `at`, whose milliseconds it begins with, in hexadecimal. `parameters` is a JSON array of names.
    `CREATE TABLE failed_requests (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      at ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      client ${text},
      method ${text} NOT NULL,
      path ${text} NOT NULL,
      parameters ${text} NOT NULL,
      status ${integer} NOT NULL,
      error ${text},
      message ${text} NOT NULL,
      request_id ${text} NOT NULL,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    // `hour` is the time at which the hour begins, `endpoint` a method and the pattern of a path.
    `CREATE TABLE usage_hours (
      merchant_id ${integer} NOT NULL,
      hour ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      endpoint ${text} NOT NULL,
      status ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, hour, key_id, endpoint, status)
    ) ${compact}`,
  ];
}
