import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { marketplaceProblems } from '../../merchants/check-merchant.ts';
import { type MarketplaceSettings, readMarketplace } from '../../operators/marketplace.ts';
import { lockOperators, type Marketplace, upsertMarketplace } from '../../operators/queries.ts';

/**
 * Changes what is stated about the marketplace. Existing merchants keep their time zone and currency.
 * Repeating it changes nothing. The context's merchant is `OPERATOR_ID`.
 * @throws {DomainError} `invalid_fields`
 */
export async function setMarketplace(
  context: WriteContext,
  changes: { [Field in keyof Marketplace]?: string | undefined },
): Promise<MarketplaceSettings> {
  const { connection, now } = context;
  // One change at a time: what is not sent keeps its value.
  await connection.run(lockOperators);
  const { is_set: wasSet, ...before } = await readMarketplace(connection);
  const { name = before.name, time_zone = before.time_zone, currency = before.currency } = changes;
  const problems = marketplaceProblems({ name, time_zone, currency });
  if (problems.length > 0) throw errors.invalid_fields(problems);
  const isSame = name === before.name && time_zone === before.time_zone && currency === before.currency;
  if (!isSame || !wasSet) {
    await connection.run(upsertMarketplace, { name, time_zone, currency, now });
    recordAudit(context, {
      action: 'marketplace.changed',
      subject: `${name}, ${time_zone}, ${currency}`,
    });
  }
  return { name, time_zone, currency, is_set: true };
}
