import { statement } from '../../database/statement.ts';

interface MappingKey {
  merchantId: number;
  headers: string;
}

export const findMapping = statement<MappingKey, { columns: string }>(
  'SELECT columns FROM column_mappings WHERE merchant_id = :merchantId AND headers = :headers',
);

export const storeMapping = statement<MappingKey & { columns: string; now: number }, never>(
  `INSERT INTO column_mappings (merchant_id, headers, columns, used_at)
   VALUES (:merchantId, :headers, :columns, :now)
   ON CONFLICT (merchant_id, headers) DO UPDATE SET columns = excluded.columns, used_at = excluded.used_at`,
);

export const listOldMappings = statement<{ merchantId: number; kept: number }, { headers: string }>(
  `SELECT headers FROM column_mappings WHERE merchant_id = :merchantId
   ORDER BY used_at DESC, headers LIMIT 100 OFFSET CAST(:kept AS bigint)`,
);

export const deleteMapping = statement<MappingKey, never>(
  'DELETE FROM column_mappings WHERE merchant_id = :merchantId AND headers = :headers',
);
