import { nonNegativeNumber, record, time } from '../../http/schema.ts';
import { examplePlacement } from '../placement-schema.ts';
import type { FactDraft } from './fact-draft.ts';

const id = { type: 'string', minLength: 1, maxLength: 100 } as const;

export const factSchema = record<Omit<FactDraft, 'merchant'>>(
  'PlacementFact',
  'A placement that an ad server of the operator’s own has delivered.',
  {
    placement_id: { ...id, description: 'The operator’s own ID of the placement.' },
    campaign_id: { ...id, description: 'The `internal_id` of the campaign.' },
    product_identifier: { ...id, description: 'The unique ID of the product.' },
    delivered_at: time,
    price: { ...nonNegativeNumber, description: 'With at most the decimals of the merchant’s currency.' },
  },
);

const { placement_id, campaign_id, product_identifier, price } = examplePlacement;

export const exampleFact = {
  placement_id,
  campaign_id,
  product_identifier,
  delivered_at: '2026-02-11T18:00:00Z',
  price,
};
