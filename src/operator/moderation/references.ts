import type { EndpointReference } from '../../http/endpoint/reference.ts';
import { oneOf } from '../../http/parameters/types.ts';
import { exampleIssues, issuesSchema } from '../../products/moderation/reference.ts';
import { moderationStates } from '../../products/record/product-status.ts';
import { catalogTag } from '../streams/references.ts';
import { reasonList } from './reason-list.ts';

export const moderationParameters = {
  state: { type: oneOf(moderationStates), required: true },
  reasons: { type: reasonList },
} as const;

/** `PUT /merchants/{external_id}/products/{identifier}/moderation`. */
export const moderationReference: EndpointReference<typeof moderationParameters> = {
  name: 'moderateProduct',
  tag: catalogTag,
  summary: 'Moderate a product',
  description:
    'Decides whether a product may be sold. Its `status` becomes the state, or is derived again for `ok`; a deleted ' +
    'product remains `deleted`. The merchant sees the reasons in the console, and with `GET products/issues` of v1. ' +
    'Repeating it changes nothing.',
  parameters: {
    state: { description: 'The decision.', example: 'problematic' },
    reasons: { description: 'The reasons, which replace earlier ones. The state `ok` has none.' },
  },
  success: {
    description: 'The moderation of the product.',
    schema: issuesSchema,
    examples: { issues: { summary: 'A problematic product', value: exampleIssues } },
  },
};
