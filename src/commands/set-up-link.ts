import { SERVICE } from '../audit/record-audit.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb } from '../database/write-context.ts';
import { screenUrl } from '../operators/screen-url.ts';
import { addSetUpToken, setUpState } from '../operators/set-up.ts';
import { linkWithToken } from '../users/link-token.ts';

/**
 * Creates the link with which a browser sets up an empty installation, for 30 minutes. Undefined if there is
 * an operator or a merchant.
 */
export async function newSetUpLink(
  database: Database,
  config: Config,
  now: () => number,
): Promise<string | undefined> {
  // A start needs no write then, so it also succeeds while the database refuses writes.
  if ((await setUpState(database)) !== 'link') return undefined;
  const caller = { merchantId: OPERATOR_ID, who: SERVICE };
  const token = await runVerb({ database, now }, caller, addSetUpToken, undefined);
  return token && linkWithToken(`${screenUrl(config)}/set-up`, token);
}
