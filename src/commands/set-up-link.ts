import { SERVICE } from '../audit/record-audit.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb } from '../database/write-context.ts';
import { findNextMerchantId } from '../merchants/queries.ts';
import { screenUrl } from '../operators/screen-url.ts';
import { addSetUpToken } from '../operators/set-up.ts';

/**
 * Creates the link with which a browser sets up an empty installation, for 30 minutes. Undefined if there is
 * an operator, or ever was a merchant: then the command line creates the first operator.
 */
export async function newSetUpLink(
  database: Database,
  config: Config,
  now: () => number,
): Promise<string | undefined> {
  const next = await database.first(findNextMerchantId);
  if (next !== undefined && next.id > 1) return undefined;
  const caller = { merchantId: OPERATOR_ID, who: SERVICE };
  const token = await runVerb({ database, now }, caller, addSetUpToken, undefined);
  return token && `${screenUrl(config)}/set-up?token=${token}`;
}
