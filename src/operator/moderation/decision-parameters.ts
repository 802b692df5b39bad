import { oneOf } from '../../http/parameters/types.ts';
import { moderationStates } from '../../products/record/product-status.ts';
import { reasonList } from './reason-list.ts';

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
