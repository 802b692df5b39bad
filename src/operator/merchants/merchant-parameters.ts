import type { Reader } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import type { ParameterType } from '../../http/parameters/types.ts';
import { externalIdPattern, externalIdRule, isExternalId } from '../../merchants/check-merchant.ts';
import { findMerchantByExternalId, type MerchantRow } from '../../merchants/queries.ts';

/** The operator's own id of a merchant. */
export const externalId: ParameterType<string> = {
  expected: externalIdRule,
  schema: { type: 'string', pattern: externalIdPattern },
  read: ({ kind, text }) => ((kind === 'text' || kind === 'string') && isExternalId(text) ? text : undefined),
};

export const merchantInPath = {
  external_id: {
    type: externalId,
    description:
      'The operator’s own ID of the merchant. If the merchant registered itself, the ID begins with `registered:`.',
    example: 'seller-4711',
  },
};

/**
 * Finds the merchant that a parameter names, such as a filter.
 * @throws {DomainError} `invalid_parameters`
 */
export async function merchantInQuery(
  reader: Pick<Reader, 'first'>,
  field: string,
  externalId: string,
): Promise<MerchantRow> {
  const merchant = await reader.first(findMerchantByExternalId, { externalId });
  if (merchant !== undefined) return merchant;
  const reason = `there is no merchant with the external ID ${externalId}, expected the external ID of a merchant`;
  throw errors.invalid_parameters([{ field, reason }]);
}

/** @throws {DomainError} `merchant_not_found` */
export async function requireMerchant(
  reader: Pick<Reader, 'first'>,
  { external_id: externalId }: { external_id: string },
): Promise<MerchantRow> {
  const merchant = await reader.first(findMerchantByExternalId, { externalId });
  if (merchant === undefined) throw errors.merchant_not_found(externalId);
  return merchant;
}
