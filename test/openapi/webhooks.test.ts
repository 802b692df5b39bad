import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type {
  EventOf,
  EventType as MerchantType,
  TradepostEvent,
} from '../../clients/typescript/src/index.ts';
import {
  type ClientEvent,
  type EventType,
  eventTypes,
  isForMerchants,
  type MerchantEventType,
} from '../../src/events/event-types.ts';
import { type NewEvent, recordEvents } from '../../src/events/record-event.ts';
import { eventDescriptions } from '../../src/openapi/events/event-descriptions.ts';
import { sqlite } from '../support/engines.ts';
import { eventSchema, FeedReader } from '../support/events.ts';
import type { OpenApiDocument } from '../support/openapi.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { useService } from '../support/service.ts';

interface Webhook {
  post: {
    parameters: { schema: object; example: unknown }[];
    requestBody: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } };
  };
}

type Document = OpenApiDocument & { webhooks: Record<string, Webhook> };

/** Compiles only if both types are the same. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

describe('the webhooks in the OpenAPI documents', () => {
  const service = useService(sqlite);
  const paths = { merchants: '/openapi.json', operator: '/operator/openapi.json' };
  const types = { merchants: eventTypes.filter(isForMerchants), operator: eventTypes };

  for (const audience of ['merchants', 'operator'] as const) {
    describe(`for ${audience}`, () => {
      let document: Document;
      let check: SchemaCheck;
      before(async () => {
        document = (await service().client.request('GET', paths[audience])).json<Document>();
        check = new SchemaCheck(document);
      });

      it('are those of exactly the types that they get', () => {
        assert.deepEqual(Object.keys(document.webhooks), types[audience]);
      });

      it('have examples that match their schemas, which accept no other type', () => {
        for (const [type, { post }] of Object.entries(document.webhooks)) {
          const { examples } = post.requestBody.content['application/json'];
          const [example] = Object.values(examples);
          check.assertValid(eventSchema(type as EventType), example?.value);
          const others = types[audience].filter((other) => other !== type);
          for (const other of others) assert.equal(check.isValid(eventSchema(other), example?.value), false);
          for (const [index, { example: header }] of post.parameters.entries())
            check.assertValid(`#/webhooks/${type}/post/parameters/${index}/schema`, header);
        }
      });
    });
  }

  it('match the events in the feed, each of which has the data that was recorded', async () => {
    const { id: merchantId } = await service().newMerchant();
    const feed = await FeedReader.open(service());
    const events = eventTypes.map((type) => {
      const { example, revision } = eventDescriptions[type];
      const known = revision === null ? {} : { revision };
      return { type, data: example, ...known } as NewEvent;
    });
    await service().database.transaction(async (connection) =>
      recordEvents({ connection, merchantId, now: service().now() }, events),
    );
    // The reader checks the schemas.
    const found = (await feed.read()).map(({ type, data, revision }) => [type, data, revision]);
    assert.deepEqual(
      new Map(found.map(([type, ...others]) => [type, others])),
      new Map(
        eventTypes.map((type) => [type, [eventDescriptions[type].example, eventDescriptions[type].revision]]),
      ),
    );
  });

  it('give the TypeScript client the types of the merchants’ events', () => {
    const typesAreEqual: Same<MerchantType, MerchantEventType> = true;
    const clientKnowsAll: Same<TradepostEvent['type'], MerchantEventType> = true;
    type Data = Extract<ClientEvent, { type: 'stock.low' }>['data'];
    const dataIsEqual: Same<EventOf<'stock.low'>['data'], Data> = true;
    assert.ok(typesAreEqual && clientKnowsAll && dataIsEqual);
  });
});
