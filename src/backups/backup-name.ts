import { formatTime } from '../shared/timestamps.ts';

const NAME = /^tradepost-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\dZ)-([\da-f]{32})\.db(\.enc)?$/;

/** What the name of a backup says. */
export interface BackupName {
  file: string;
  /** Milliseconds since 1970, when the backup was started. */
  at: number;
  /** The first 32 hexadecimal digits of the SHA-256 of the database in it. */
  checksum: string;
  isEncrypted: boolean;
}

/** Returns the name of a new backup. It states what the backup contains, so that a changed one is noticed. */
export function nameBackup(at: number, sha256: string, isEncrypted: boolean): string {
  // Some file systems have no colons in names.
  const time = formatTime(at - (at % 1000)).replaceAll(':', '-');
  return `tradepost-${time}-${sha256.slice(0, 32)}.db${isEncrypted ? '.enc' : ''}`;
}

/** Returns null for a file that Tradepost did not name. */
export function parseBackupName(file: string): BackupName | null {
  const [, day, hours, minutes, seconds, checksum, encrypted] = NAME.exec(file) ?? [];
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}`);
  if (checksum === undefined || Number.isNaN(at)) return null;
  return { file, at, checksum, isEncrypted: encrypted !== undefined };
}
