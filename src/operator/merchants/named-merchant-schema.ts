import { record, type Schema } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';

export const namedMerchantFields: { [Name in keyof NamedMerchant]: Schema } = {
  external_id: { type: 'string', description: 'The operator’s own ID of the merchant.' },
  name: { type: 'string', description: 'The merchant’s name.' },
};

export const namedMerchantSchema = record<NamedMerchant>(
  'NamedMerchant',
  'The merchant whose record it is.',
  namedMerchantFields,
);

export const exampleNamedMerchant: NamedMerchant = { external_id: 'seller-4711', name: 'Alpine Vases' };
