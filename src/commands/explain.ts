import { BackupNotFound, BucketError, RestoreFailed } from '../backups/errors.ts';
import { SettingError } from '../config.ts';
import { CopyStopped } from '../copy/copy-stopped.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { KeyFileUnusable, UndecryptableValue } from '../encryption/key-file.ts';
import { describeProblems } from '../errors/describe-problems.ts';
import { DomainError } from '../errors/domain-error.ts';
import { UnusableFile } from '../files/parsed.ts';
import { RejectsUnwritable } from '../files/rejects-file.ts';
import { WorkerFailed } from '../workers/worker-pool.ts';
import { CommandError } from './context.ts';

/** Their messages are complete and for operators. */
const EXPECTED = [
  BackupNotFound,
  BucketError,
  CommandError,
  CopyStopped,
  DomainError,
  SettingError,
  DatabaseUnavailable,
  DatabaseUnusable,
  KeyFileUnusable,
  UndecryptableValue,
  RejectsUnwritable,
  RestoreFailed,
  UnusableFile,
  WorkerFailed,
];

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DomainError && error.code === 'invalid_parameters')
    return describeProblems(error.problems.map((problem) => ({ ...problem, field: `--${problem.field}` })));
  return EXPECTED.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message);
}
