import { type CreatedKey, createKey, type NewKey } from '../../api-keys/create-key.ts';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import { newEpoch } from '../../database/epoch.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { insertOperatorCounters } from '../../merchants/queries.ts';
import { revisionAt } from '../../products/record/revision.ts';

/** Creates a key of the operator API, as `createKey` does, for the owner `OPERATOR_ID`. */
export async function createOperatorKey(
  context: WriteContext,
  key: NewKey & { scopes: readonly OperatorScope[] },
): Promise<CreatedKey> {
  const { connection, merchantId, now } = context;
  const counters = { revision: revisionAt(now), epoch: newEpoch() };
  await connection.run(insertOperatorCounters, { merchantId, ...counters });
  return await createKey(context, key);
}
