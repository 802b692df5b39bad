import { insertInto, statement, updateIn, upsertInto } from '../database/statement.ts';

/** Private keys are encrypted (`AcmeStore`). Times are milliseconds since 1970. */
export interface AcmeAccountRow {
  /** The URL of the authority's directory. */
  directory: string;
  private_key: string;
  created_at: number;
}

export const insertAccount = insertInto<AcmeAccountRow>('acme_accounts', [
  'directory',
  'private_key',
  'created_at',
]);

export const findAccount = statement<{ directory: string }, AcmeAccountRow>(
  'SELECT directory, private_key, created_at FROM acme_accounts WHERE directory = :directory',
);

export const listAccounts = statement<unknown, AcmeAccountRow>(
  'SELECT directory, private_key, created_at FROM acme_accounts ORDER BY directory',
);

export const updateAccountKey = updateIn<Pick<AcmeAccountRow, 'directory' | 'private_key'>>(
  'acme_accounts',
  ['directory'],
  ['private_key'],
);

/** The ID of the one certificate, and of its last failure. */
export const ONLY = 1;

export interface AcmeCertificateRow {
  directory: string;
  /** Sorted, with commas in between. */
  hosts: string;
  /** With its chain, in PEM. */
  certificate: string;
  private_key: string;
  valid_from: number;
  valid_to: number;
  renew_at: number;
}

const certificateColumns = [
  'directory',
  'hosts',
  'certificate',
  'private_key',
  'valid_from',
  'valid_to',
  'renew_at',
] as const;

export const findCertificate = statement<unknown, AcmeCertificateRow>(
  `SELECT ${certificateColumns.join(', ')} FROM acme_certificates WHERE id = ${ONLY}`,
);

const overwrite = (columns: readonly string[]): `DO UPDATE SET ${string}` =>
  `DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

export const upsertCertificate = upsertInto<AcmeCertificateRow & { id: number }>(
  'acme_certificates',
  ['id'],
  certificateColumns,
  overwrite(certificateColumns),
);

export const updateCertificateKey = updateIn<Pick<AcmeCertificateRow, 'private_key'> & { id: number }>(
  'acme_certificates',
  ['id'],
  ['private_key'],
);

/** The tries since the last success. */
export interface AcmeFailureRow {
  directory: string;
  hosts: string;
  failed_at: number;
  failures: number;
  reason: string;
  retry_at: number;
}

const failureColumns = ['directory', 'hosts', 'failed_at', 'failures', 'reason', 'retry_at'] as const;

export const findFailure = statement<unknown, AcmeFailureRow>(
  `SELECT ${failureColumns.join(', ')} FROM acme_failures WHERE id = ${ONLY}`,
);

export const upsertFailure = upsertInto<AcmeFailureRow & { id: number }>(
  'acme_failures',
  ['id'],
  failureColumns,
  overwrite(failureColumns),
);

export const deleteFailure = statement<unknown, never>('DELETE FROM acme_failures');

export interface AcmeChallengeRow {
  host: string;
  /** As `AccountKey.answerDigest`. */
  digest: string;
}

export const listChallenges = statement<unknown, AcmeChallengeRow>(
  'SELECT host, digest FROM acme_challenges ORDER BY host',
);

export const upsertChallenge = upsertInto<AcmeChallengeRow>(
  'acme_challenges',
  ['host'],
  ['digest'],
  'DO UPDATE SET digest = excluded.digest',
);

export const deleteChallenge = statement<AcmeChallengeRow, never>(
  'DELETE FROM acme_challenges WHERE host = :host AND digest = :digest',
);

export const listAcmeKeyIds = statement<unknown, { id: string }>(
  `SELECT DISTINCT substr(value, 5, 8) AS id
   FROM (SELECT private_key AS value FROM acme_accounts
         UNION ALL SELECT private_key FROM acme_certificates) AS secrets
   ORDER BY id`,
);
