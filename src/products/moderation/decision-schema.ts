import { orNull, record, type Schema } from '../../http/schema.ts';
import { exampleReason } from './issues-schema.ts';

export const MAX_DECISIONS = 200;

/** What one line did. In wire order. */
export interface DecisionLineResult {
  /** From 1. */
  line: number;
  merchant: string | null;
  identifier: string | null;
  result: 'updated' | 'unchanged' | 'rejected';
  errors: { name: string; reason: string }[];
}

/** A result for each line, in order, and how many there are of each kind. */
export interface DecisionBatchResult extends Record<DecisionLineResult['result'], number> {
  results: DecisionLineResult[];
}

const string: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0, maximum: MAX_DECISIONS };

export const decisionBatchSchema = record<DecisionBatchResult>(
  'ModerationResults',
  'A result for each line, in order, and their counts.',
  {
    results: {
      type: 'array',
      items: record<DecisionLineResult>('ModerationResult', 'What one line did.', {
        line: { type: 'integer', minimum: 1, description: 'The position of the line, from 1.' },
        merchant: { ...orNull(string), description: 'Null if the line has no valid one.' },
        identifier: { ...orNull(string), description: 'Null if the line has no valid one.' },
        result: {
          ...string,
          enum: ['updated', 'unchanged', 'rejected'],
          description:
            '`unchanged` if the decision was made before, and the product did not wait for a review.',
        },
        errors: {
          type: 'array',
          items: record('ModerationError', 'Why a line was rejected.', {
            name: { ...string, description: 'The parameter; blank if the error concerns the whole line.' },
            reason: { ...string, description: 'What is wrong with it, and what was expected.' },
          }),
        },
      }),
    },
    updated: count,
    unchanged: count,
    rejected: count,
  },
);

/** The schema of a line with these properties. */
export const decisionLineSchema = (properties: Record<string, Schema>): Schema => ({
  title: 'ModerationDecision',
  description: 'A decision about a product.',
  type: 'object',
  properties,
  required: ['merchant', 'identifier', 'state'],
  additionalProperties: false,
});

export const exampleDecisions = [
  { merchant: 'seller-4711', identifier: 'VASE-7', state: 'ok', version: 'hV2h9S0l8mX1rQ4tZ7aB3w' },
  { merchant: 'seller-4711', identifier: 'VASE-8', state: 'problematic', reasons: [exampleReason] },
];

export const exampleDecisionResult: DecisionBatchResult = {
  results: [
    { line: 1, merchant: 'seller-4711', identifier: 'VASE-7', result: 'updated', errors: [] },
    {
      line: 2,
      merchant: 'seller-4711',
      identifier: 'VASE-8',
      result: 'rejected',
      errors: [{ name: 'identifier', reason: 'there is no product VASE-8' }],
    },
  ],
  updated: 1,
  unchanged: 0,
  rejected: 1,
};
