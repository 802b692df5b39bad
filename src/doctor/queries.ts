import { statement } from '../database/database.ts';

/** The last time that something was written, of what is no merchant's own. */
export const findNewest = statement<{ newest: number }>(
  `SELECT max(at) AS newest FROM (
     SELECT max(applied_at) AS at FROM tradepost_migrations
     UNION ALL SELECT max(created_at) FROM merchants) AS times`,
);

/** PostgreSQL's own clock, in milliseconds since 1970. */
export const findServerTime = statement<{ now: number }>(
  'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
);
