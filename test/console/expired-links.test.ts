import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { deleteExpiredVerifications } from '../../src/console/single-sign-on/queries.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe('expired links and challenges', () => {
  const service = useService(sqlite);

  it('are found by an index, because every opened sign-in page deletes them', () => {
    const path = join(service().config.dataDirectory, 'tradepost.db');
    using database = new DatabaseSync(path, { readOnly: true });
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${deleteExpiredVerifications.sql}`).all(null);
    assert.match(String(plan[0]?.detail), /^SEARCH user_verifications USING .*user_verifications_by_expiry/);
  });
});
