import { TokenTaken } from '../api-keys/create-key.ts';
import { BudgetExceeded } from '../budgets/budgets.ts';
import { SettingError } from '../config.ts';
import { UserRefused } from '../console/users/add-user.ts';
import { CopyStopped } from '../copy/copy-stopped.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { UnusableFile } from '../imports/parsed.ts';
import { RejectsUnwritable } from '../imports/rejects-file.ts';
import { InvalidMerchant } from '../merchants/create-merchant.ts';
import { WorkerFailed } from '../workers/worker-failed.ts';
import { CommandError } from './context.ts';

/** Whose messages are written for operators, and say all there is to say. */
const EXPECTED = [
  BudgetExceeded,
  CommandError,
  CopyStopped,
  SettingError,
  DatabaseUnavailable,
  DatabaseUnusable,
  InvalidMerchant,
  RejectsUnwritable,
  TokenTaken,
  UnusableFile,
  UserRefused,
  WorkerFailed,
];

/** What an operator is told of an error: one line where it was to be expected, else where it came from too. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message);
}
