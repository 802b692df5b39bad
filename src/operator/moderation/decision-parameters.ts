import { oneOf } from '../../http/parameters/types.ts';
import { lookedUpIdentifier } from '../../products/record/product-parameters.ts';
import { moderationStates } from '../../products/record/product-status.ts';
import { merchantInPath } from '../merchants/merchant-parameters.ts';
import { reasonList } from './reason-list.ts';

export const productInPath = {
  ...merchantInPath,
  identifier: { type: lookedUpIdentifier, description: 'The unique ID of the product.', example: 'VASE-7' },
};

/** What is wrong with reasons for the state `ok`. */
export const REASONS_WITH_OK = 'expected none with the state ok';

/** The parameters of a decision about a product. */
export const decisionParameters = {
  state: {
    type: oneOf(moderationStates),
    required: true,
    description: 'The decision.',
    example: 'problematic',
  },
  reasons: {
    type: reasonList,
    description: 'The reasons, which replace earlier ones. The state `ok` has none.',
  },
} as const;
