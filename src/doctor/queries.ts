import { statement } from '../database/statement.ts';

export const findLatestTime = statement<unknown, { latest: number }>(
  `SELECT max(at) AS latest FROM (
     SELECT max(applied_at) AS at FROM tradepost_migrations
     UNION ALL SELECT max(created_at) FROM merchants) AS times`,
);

/** In milliseconds since 1970. */
export const findServerTime = statement<unknown, { now: number }>(
  'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
);
