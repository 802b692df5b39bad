import type { TransactionContext } from '../database/write-context.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { foldName } from '../shared/fold-name.ts';
import { countNames, findMerchantByName, findNameHolder, insertName, moveName } from './queries.ts';

/** For names from merchants and back ends, because each name remains reserved for its merchant. */
const MAX_NAMES = 20;

/**
 * Reserves a name for a merchant, inside a transaction after `takeGlobalLock`. No other merchant can get it,
 * or one that people may mistake for it, even after a new name: the operator's files and commands that still
 * use the name must not reach another merchant. Only `anyName`, for the command line, allows a name that
 * another merchant gave up, or more names than usual.
 * @throws {DomainError} `name_taken`; `invalid_fields` for one name too many
 */
export async function takeName(
  { connection, merchantId }: Pick<TransactionContext, 'connection' | 'merchantId'>,
  { name, anyName }: { name: string; anyName: boolean },
): Promise<void> {
  const foldedName = foldName(name);
  const named = await connection.first(findMerchantByName, { name });
  if (named !== undefined && named.id !== merchantId) throw nameTaken(name);
  const holder = await connection.first(findNameHolder, { foldedName });
  if (holder?.merchant_id === merchantId) return;
  if (holder !== undefined) {
    if (foldName(holder.name) === foldedName) throw nameTaken(holder.name);
    if (!anyName)
      throw errors.name_taken(`The name "${name}" is reserved for the merchant that had it before.`);
    await connection.run(moveName, { foldedName, merchantId });
    return;
  }
  const names = (await connection.first(countNames, { merchantId }))?.names ?? 0;
  if (names >= MAX_NAMES && !anyName) {
    const reason = `The merchant has already had ${MAX_NAMES} names. Use one of them again.`;
    throw errors.invalid_fields([{ field: 'name', reason }]);
  }
  await connection.run(insertName, { folded_name: foldedName, merchant_id: merchantId });
}

function nameTaken(name: string): DomainError {
  return errors.name_taken(`A merchant named "${name}" already exists.`);
}
