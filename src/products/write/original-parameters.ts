import type { ParameterDefinition } from '../../http/parameters/bind.ts';
import { boolean, type ParameterType } from '../../http/parameters/types.ts';
import type { Schema } from '../../http/schema.ts';
import { fieldReaders } from '../files/read-fields.ts';
import { originalProperties } from '../record/product-schema.ts';
import { fieldParameter } from './field-parameter.ts';
import { READ_ONLY } from './parameter-schemas.ts';

/** Any text, to be compared with the record. */
const shownText: ParameterType<string> = {
  expected: 'the current value',
  schema: { type: 'string' },
  read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? text : undefined),
};

/** A list as JSON, to be compared with the record. */
function shownList(schema: Schema): ParameterType<unknown> {
  return {
    expected: 'the current value',
    schema,
    isNested: true,
    read: ({ kind, text }) => (kind === 'nested' ? JSON.parse(text) : text),
  };
}

const time = fieldParameter('time', fieldReaders.time, originalProperties.admin_banned_at);
const description = READ_ONLY;

/**
 * The original's fields that no parameter sets: accepted as records show them. `starting_bid` and
 * `success_fee_bid` are older names of other fields.
 */
export const originalParameters = {
  success_fee_bid_enabled: { type: boolean, description },
  slug: { type: shownText, description },
  all_images: { type: shownList(originalProperties.all_images), description },
  upsells: { type: shownList(originalProperties.upsells), description },
  admin_banned_at: { type: time, description },
  admin_hold_at: { type: time, description },
  admin_reason: { type: shownText, description },
} as const satisfies Record<string, ParameterDefinition>;

export const originalParameterNames = Object.keys(originalParameters) as (keyof typeof originalParameters)[];
