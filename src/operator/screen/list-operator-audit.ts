import type { AuditEntry } from '../../audit/audit-entry.ts';
import { listOperatorEntries } from '../../audit/list-audit.ts';
import type { Reader } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { type NamedMerchant, nameMerchants } from '../../merchants/name-merchants.ts';

export interface OperatorAuditEntry extends AuditEntry {
  /** Null for what was done to no merchant. */
  merchant: NamedMerchant | null;
}

export interface OperatorAudit {
  entries: OperatorAuditEntry[];
  /** The next page's `before`; null on the last page. */
  next: string | null;
}

/** Returns what operators did, with the merchants to which they did it. As `listOperatorEntries`. */
export async function listOperatorAudit(
  database: Pick<Reader, 'all'>,
  part: Parameters<typeof listOperatorEntries>[1],
): Promise<OperatorAudit> {
  const { entries, next } = await listOperatorEntries(database, part);
  const merchants = entries.map(({ merchant_id }) => merchant_id).filter((id) => id !== OPERATOR_ID);
  const named = await nameMerchants(database, merchants);
  return {
    entries: entries.map(({ merchant_id, ...entry }) => ({
      ...entry,
      merchant: named.get(merchant_id) ?? null,
    })),
    next,
  };
}
