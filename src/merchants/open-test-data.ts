import { recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { addTestSide } from './open-test-side.ts';

/** Opens the test side of the context's merchant, without a key. Repeating it changes nothing. */
export async function openTestData(context: WriteContext): Promise<void> {
  const { connection, merchantId, now } = context;
  if (await addTestSide(connection, merchantId, now))
    recordAudit(context, { action: 'merchant.test_data_opened', subject: null });
}
