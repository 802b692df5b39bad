import { foldName } from '../../shared/fold-name.ts';
import { type Connection, statement } from '../database.ts';

const listNames = statement<unknown, { id: number; name: string }>(
  'SELECT id, name FROM merchants ORDER BY id',
);
const addName = statement<{ foldedName: string; merchantId: number }, never>(
  `INSERT INTO merchant_names (folded_name, merchant_id) VALUES (:foldedName, :merchantId)
   ON CONFLICT (folded_name) DO NOTHING`,
);

/** Reserves the names of merchants that exist before the migration. The older of two with similar names gets the name. */
export async function fillMerchantNames(connection: Connection): Promise<void> {
  const merchants = await connection.all(listNames);
  await connection.runEach(
    addName,
    merchants.map(({ id: merchantId, name }) => ({ foldedName: foldName(name), merchantId })),
  );
}
