import { TokenTaken } from '../api-keys/create-key.ts';
import { BudgetExceeded } from '../budgets/budgets.ts';
import { SettingError } from '../config.ts';
import { InvalidUser } from '../console/users/add-user.ts';
import { CopyStopped } from '../copy/copy-stopped.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { KeyFileUnusable } from '../encryption/key-file.ts';
import { UnusableFile } from '../files/parsed.ts';
import { RejectsUnwritable } from '../files/rejects-file.ts';
import { InvalidMerchant } from '../merchants/check-merchant.ts';
import { WorkerFailed } from '../workers/worker-pool.ts';
import { CommandError } from './context.ts';

/** Their messages are complete and for operators. */
const EXPECTED = [
  BudgetExceeded,
  CommandError,
  CopyStopped,
  SettingError,
  DatabaseUnavailable,
  DatabaseUnusable,
  InvalidMerchant,
  KeyFileUnusable,
  RejectsUnwritable,
  TokenTaken,
  UnusableFile,
  InvalidUser,
  WorkerFailed,
];

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message);
}
