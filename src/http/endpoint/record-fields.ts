import type { FastifyRequest } from 'fastify';
import { type RecordFields, recordFields } from '../../api-keys/record-fields.ts';
import { errors } from '../../errors/errors.ts';
import type { RequestHeaders } from './declaration.ts';
import type { MerchantCaller } from './merchant-authentication.ts';

/** The header of calls that return products. */
export const fieldsHeader: RequestHeaders = {
  'Tradepost-Fields': {
    description:
      'Which fields products have in the response: `original` adds fields that clients of other versions of the API read, ' +
      'and `standard` does not. By default, as the key was created.',
    schema: { type: 'string', enum: recordFields },
    example: 'original',
  },
};

/** The `Vary` header of the responses of these calls. */
export const VARY_BY_FIELDS = 'Accept-Encoding, Tradepost-Fields';

/** Returns the value of the header, undefined for another one. Null means that a request has none. */
export function sentRecordFields(header: string | string[] | undefined): RecordFields | null | undefined {
  if (header === undefined || header === '') return null;
  return recordFields.find((known) => known === header);
}

/** Returns which fields products have for a caller. @throws {DomainError} `invalid_parameters` */
export function recordFieldsOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { key }: Pick<MerchantCaller, 'key'>,
): RecordFields {
  const sent = sentRecordFields(headers['tradepost-fields']);
  if (sent === undefined) {
    const reason = `expected one of ${recordFields.join(', ')}`;
    throw errors.invalid_parameters([{ field: 'Tradepost-Fields', reason }]);
  }
  return sent ?? key?.fields ?? 'standard';
}
