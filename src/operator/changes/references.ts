import { campaignChangesSchema, exampleCampaignChanges } from '../../campaigns/references.ts';
import type { EndpointReference, Success } from '../../http/endpoint/reference.ts';
import { cursor, int32 } from '../../http/parameters/types.ts';
import { changesSchema, exampleChanges } from '../../products/list/reference.ts';
import { exampleList, listSchema } from '../../sales/schedules-reference.ts';
import { campaignsTag } from '../campaigns/references.ts';
import { catalogTag } from '../streams/references.ts';

const MAX_PAGE_SIZE = 1000;
export const DEFAULT_PAGE_SIZE = 50;

export const changesParameters = {
  changed_since: { type: cursor, required: true },
  per_page: { type: int32(1, MAX_PAGE_SIZE) },
} as const;

type ChangesReference = EndpointReference<typeof changesParameters>;

function reference(
  items: string,
  { name, tag, success }: Pick<ChangesReference, 'name' | 'tag' | 'success'>,
): ChangesReference {
  return {
    name,
    tag,
    summary: `Follow the changes of a merchant’s ${items}`,
    description:
      `Lists ${items} in the order of their last change. Begin with \`start\`, and send the \`cursor\` of each response ` +
      `with the next request. Each of the ${items} comes in its newest state, and comes again after each change. While ` +
      '`more` is true, there are further changes already. The cursors also work in v1 with a live key of the merchant.',
    parameters: {
      changed_since: {
        description: '`start` for everything, or the `cursor` of an earlier response.',
        example: 'start',
      },
      per_page: { description: `The maximum number of ${items} per response.`, default: DEFAULT_PAGE_SIZE },
    },
    success,
  };
}

const successOf = (schema: Success['schema'], value: unknown): Success => ({
  description: 'The changes, and the cursor after them.',
  schema,
  examples: { changes: { summary: 'The last change', value } },
});

/** `GET /merchants/{external_id}/products`. */
export const productChangesReference = reference('products', {
  name: 'listProductChanges',
  tag: catalogTag,
  success: successOf(changesSchema, exampleChanges),
});

/** `GET /merchants/{external_id}/schedules`. */
export const scheduleChangesReference = reference('schedules', {
  name: 'listScheduleChanges',
  tag: catalogTag,
  success: successOf(listSchema, exampleList),
});

/** `GET /merchants/{external_id}/campaigns`. */
export const campaignChangesReference = reference('campaigns', {
  name: 'listCampaignChanges',
  tag: campaignsTag,
  success: successOf(campaignChangesSchema, exampleCampaignChanges),
});
