import type { ParameterDefinition } from '../../http/parameters/bind.ts';
import { boolean, type ParameterType } from '../../http/parameters/types.ts';
import type { Schema } from '../../http/schema.ts';
import { fieldReaders } from '../files/read-fields.ts';
import { MAX_REASON_MESSAGE, MAX_REASONS } from '../moderation/issues-schema.ts';
import { originalProperties } from '../record/product-schema.ts';
import { fieldParameter } from './field-parameter.ts';
import { READ_ONLY } from './parameter-schemas.ts';

/** Longer than the text of any reasons. */
const MAX_REASON_TEXT = MAX_REASONS * (MAX_REASON_MESSAGE + 1);
const expected = 'the current value';
const description = READ_ONLY;

function shownText(maxLength: number): ParameterType<string> {
  return {
    expected,
    schema: { type: 'string', maxLength, description },
    read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? text : undefined),
  };
}

/** A list in JSON. */
function shownList(schema: Schema): ParameterType<unknown> {
  return {
    expected,
    schema: { ...schema, description },
    isNested: true,
    read: ({ kind, text }) => (kind === 'nested' ? JSON.parse(text) : text),
  };
}

const shownFlag = { ...boolean, schema: { ...boolean.schema, description } };
const time = fieldParameter('time', fieldReaders.time, {
  ...originalProperties.admin_banned_at,
  description,
});

/**
 * The original's fields that no parameter sets: compared with the record. `starting_bid` and
 * `success_fee_bid` are older names of other fields.
 */
export const originalParameters = {
  success_fee_bid_enabled: { type: shownFlag, description },
  slug: { type: shownText(0), description },
  all_images: { type: shownList(originalProperties.all_images), description },
  upsells: { type: shownList(originalProperties.upsells), description },
  admin_banned_at: { type: time, description },
  admin_hold_at: { type: time, description },
  admin_reason: { type: shownText(MAX_REASON_TEXT), description },
} as const satisfies Record<string, ParameterDefinition>;

export const originalParameterNames = Object.keys(originalParameters) as (keyof typeof originalParameters)[];
