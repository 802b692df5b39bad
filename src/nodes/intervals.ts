const MINUTE_MS = 60_000;

/** A process tells that it is there every so often. */
export const SEEN_EVERY_MS = MINUTE_MS;
/** A process that was not seen for this time has ended, or has lost the database. */
export const MISSING_AFTER_MS = 150_000;
/** What a point of the metrics covers. */
export const INTERVAL_MS = 5 * MINUTE_MS;
/** How long nodes and their metrics are kept: 288 points of each node. */
export const KEPT_MS = 24 * 60 * MINUTE_MS;
