import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import {
  listOperatorLog,
  listOperatorLogBy,
  listOperatorLogByAndOf,
  listOperatorLogByKind,
  listOperatorLogByKindAndOf,
  listOperatorLogOf,
} from '../../src/audit/queries.ts';
import { findNewestOfAll } from '../../src/campaigns/queries.ts';
import type { Statement } from '../../src/database/statement.ts';
import {
  listNewest,
  listNewestOf,
  listNewestOfType,
  listNewestOfTypeOf,
} from '../../src/event-feed/queries.ts';
import { listImportsOfAll } from '../../src/imports/queries.ts';
import * as orders from '../../src/orders/of-all/queries.ts';
import { listReplacedDecisions } from '../../src/products/moderation/queries.ts';
import * as products from '../../src/products/of-all/queries.ts';
import { countFailures } from '../../src/requests/queries.ts';
import {
  listDisabledOfMerchants,
  listEnabledOfMerchants,
  listFailingOfMerchants,
} from '../../src/webhooks/queries.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe('a list of all merchants', () => {
  const service = useService(sqlite);
  let database: DatabaseSync;
  before(() => {
    database = new DatabaseSync(join(service().config.dataDirectory, 'tradepost.db'), { readOnly: true });
  });
  after(() => database.close());

  function planOf({ sql }: Pick<Statement, 'sql'>): string[] {
    const parameters = Array((sql.match(/\?/g) ?? []).length).fill(null);
    return database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map(({ detail }) => String(detail));
  }

  for (const [name, index, statement] of [
    ['failed calls', 'failed_requests_by_time', countFailures],
    ['imports', 'imports_newest', listImportsOfAll(undefined, 'any')],
    ['waiting imports', 'imports_in_progress', listImportsOfAll('waiting', 'any')],
    ['running imports', 'imports_in_progress', listImportsOfAll('running', 'any')],
    ['interrupted imports', 'imports_in_progress', listImportsOfAll('interrupted', 'any')],
    ['finished imports', 'imports_newest', listImportsOfAll('finished', 'any')],
    ['failed imports', 'imports_failed', listImportsOfAll('failed', 'any')],
    ['imports of a format', 'imports_by_format', listImportsOfAll(undefined, 'format')],
    ['bulk changes', 'imports_bulk', listImportsOfAll(undefined, 'bulk')],
    ['failing webhooks', 'webhooks_failing', listFailingOfMerchants],
    ['disabled webhooks', 'webhooks_disabled', listDisabledOfMerchants],
    ['enabled webhooks', 'sqlite_autoindex_webhooks_1', listEnabledOfMerchants],
    ['activity', 'audit_entries_of_operator', listOperatorLog],
    ['activity of keys', 'audit_entries_of_operator_by_kind', listOperatorLogByKind],
    ['activity of an operator', 'audit_entries_of_operator_by_who', listOperatorLogBy],
    ['an action', 'audit_entries_of_operator_by_action', listOperatorLogOf],
    ['an action of keys', 'audit_entries_of_operator_by_kind_and_action', listOperatorLogByKindAndOf],
    ['an action of an operator', 'audit_entries_of_operator_by_who_and_action', listOperatorLogByAndOf],
    ['products', 'products_newest ', products.listNewestOfAll.live],
    ['products of test sides', 'products_newest_of_test_sides', products.listNewestOfAll.test],
    ['products of a merchant', 'products_by_status_created_at', products.listNewestOfMerchant],
    ['merchants with products for a word', 'merchant_counters', products.listMerchantsWithWords(1)],
    ['orders', 'orders_newest ', orders.listNewestOfAll.live],
    ['orders of test sides', 'orders_newest_of_test_sides', orders.listNewestOfAll.test],
    ['orders of a merchant', 'orders_by_created_at', orders.listNewestOfMerchant.ofAny],
    ['orders of a merchant in a state', 'orders_by_', orders.listNewestOfMerchant.ofStatus],
    ['merchants with an order', 'order_counters', orders.listMerchantsWithOrder],
    ['campaigns', 'campaigns_newest', findNewestOfAll(false)],
    ['campaigns of a status', 'campaigns_newest_of_status', findNewestOfAll(true)],
    ['replaced decisions', 'moderation_decisions_replaced', listReplacedDecisions],
    ['events', '', listNewest],
    ['events of a type', 'events_by_type', listNewestOfType],
    ['events of a merchant', 'events_by_merchant', listNewestOf],
    ['events of a type and a merchant', 'events_by_type_of_merchant', listNewestOfTypeOf],
  ] as const) {
    it(`of ${name} is read in the order of an index`, () => {
      const plan = planOf(statement);
      const text = plan.join('\n');
      assert.ok(
        plan.some((step) => step.startsWith('SEARCH') && step.includes(index)),
        text,
      );
      assert.ok(!plan.some((step) => step.startsWith('SCAN') && !/newest$/.test(step)), text);
      assert.ok(!text.includes('TEMP B-TREE FOR ORDER BY'), text);
    });
  }
});
