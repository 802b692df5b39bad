import type { FastifyInstance } from 'fastify';
import { campaignId } from '../campaigns/campaign-parameters.ts';
import { exampleCampaign } from '../campaigns/campaign-schema.ts';
import { modeOf } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { oneOf } from '../http/parameters/types.ts';
import { sendJson } from '../http/responses/respond.ts';
import { nonNegativeNumber, orNull, record } from '../http/schema.ts';
import type { PushServices } from '../orders/push/push-batch.ts';
import type { SpendNeeds } from '../placements/record/record-spend.ts';
import { exampleProduct } from '../products/record/example-product.ts';
import { lookedUpIdentifier } from '../products/record/product-parameters.ts';
import { moderationStates } from '../products/record/product-status.ts';
import { testingTag } from './testing-tag.ts';
import { onlyFor, readSharedFacts, triggerOnce } from './trigger.ts';
import { NOTHING, type Triggered, triggeredEvents } from './triggered.ts';

const text = { type: 'string' } as const;
const onlyIn = (events: string, what: string): string => `${what}; null except for ${events}.`;

const triggeredSchema = record<Triggered>('TestTrigger', 'What was made on the test side.', {
  event: { type: 'string', enum: triggeredEvents, description: 'As it was sent.' },
  event_id: {
    ...orNull(text),
    description:
      'The `id` of the event, as webhooks and the feed have it; null for a sale, a moderation, an order and a spent ' +
      'budget, which record their own events.',
  },
  product_identifier: {
    ...orNull(text),
    description: onlyIn('`sale`, `moderation`, `order` and `budget_spent`', 'The unique ID of the product'),
  },
  variation_identifier: {
    ...orNull(text),
    description: 'The variation that was sold or ordered; null if the product has none.',
  },
  state: {
    ...orNull({ type: 'string', enum: moderationStates }),
    description: onlyIn('`moderation`', 'The moderation of the product'),
  },
  schedule_id: { ...orNull(text), description: onlyIn('`sale`', 'The schedule that sold') },
  order_id: {
    ...orNull({ type: 'integer' }),
    description: onlyIn('`order`', 'The `order_id` of the new order'),
  },
  campaign_id: {
    ...orNull(text),
    description: onlyIn('`budget_spent`', 'The `internal_id` of the campaign'),
  },
  placement_id: {
    ...orNull(text),
    description: onlyIn('`budget_spent`', 'The placement that spent it, or the first of several'),
  },
  amount: {
    ...orNull(nonNegativeNumber),
    description: onlyIn(
      '`sale` and `budget_spent`',
      'The price of the sale, or what was spent, in the merchant’s currency',
    ),
  },
});

const product_identifier = exampleProduct.identifier;
const exampleOrder: Triggered = { event: 'order', ...NOTHING, product_identifier, order_id: 4711 };
const exampleRecorded: Triggered = {
  event: 'key.expiring',
  ...NOTHING,
  event_id: 'evt_19cade211c04f1a3e9d0701f2c4b5a697880c',
};

const optional = (events: string, description: string): string => `${description} ${sentence(events)}.`;

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `POST /test/trigger.json` (“Merchants’ programs help themselves”). */
export function triggerEndpoint(
  app: FastifyInstance,
  services: WriteServices & PushServices & SpendNeeds,
): void {
  const { database, budgets, customers, lowInventory, lowBudget, now } = services;
  registerWrite(app, services, {
    path: '/test/trigger.json',
    name: 'triggerTestEvent',
    tag: testingTag,
    summary: 'Make something happen on the test side',
    description:
      'Lets you try what your software does when something happens. `sale`: a schedule of the product sells now, and ' +
      'counts in the sales figures. `moderation`: the operator moderates the product. `order`: a paid order of one unit ' +
      'of the product comes in, of a variation if it has some. `budget_spent`: placements spend what is left of a ' +
      'campaign’s budget, of today or in total, whichever is less. All of them have the effects and the events that ' +
      'they have on the live side. With a type of event, this event is recorded with the data of its example, and IDs ' +
      'and cursors of the test side where it has such records; nothing else changes. Webhooks get it with `test` true. ' +
      'Only test keys may call it: their tokens start with `tpt_`.',
    scope: 'write',
    parameters: {
      event: {
        type: oneOf(triggeredEvents),
        required: true,
        description:
          'What happens: `sale`, `moderation`, `order` and `budget_spent` change data. Any other value records an example ' +
          'event.',
        example: 'order',
      },
      product_identifier: {
        type: lookedUpIdentifier,
        description: optional(
          onlyFor.product_identifier,
          'The unique ID of the product. Without it, the newest product that is for sale.',
        ),
        example: product_identifier,
      },
      state: {
        type: oneOf(moderationStates),
        description: optional(
          onlyFor.state,
          'The moderation, which must not be the present one. Without it, `problematic`, or `ok` if it is another one.',
        ),
        example: 'banned',
      },
      campaign: {
        type: campaignId.type,
        description: optional(
          onlyFor.campaign,
          'The `internal_id` or the name of the campaign. Without it, the newest one that fits.',
        ),
        example: exampleCampaign.internal_id,
      },
    },
    statuses: [200, 404, 409],
    success: {
      description: 'What was made.',
      schema: triggeredSchema,
      examples: {
        order: { summary: 'An order', value: exampleOrder },
        event: { summary: 'A recorded event', value: exampleRecorded },
      },
    },
    locksMerchant: true,
    handle: async ({ request, reply, caller: { merchantId, key }, input, runOnce }) => {
      if (modeOf(merchantId) !== 'test' || key === undefined) throw errors.test_key_required();
      const facts = await readSharedFacts(database, merchantId);
      if (input.event === 'order') await customers.prepare(database, now());
      const needs = { ...facts, budgets, customers, lowInventory, lowBudget, keyId: key.key };
      const { response } = await runOnce(triggerOnce, input, needs);
      await sendJson(request, reply, response);
    },
  });
}
