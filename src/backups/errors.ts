/** A server with S3’s API refused a call, or cannot be reached. The message is for people. */
export class BucketError extends Error {
  override name = 'BucketError';
}

/** A backup is not what was stored, or cannot be decrypted. The message completes “it is unusable:”. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

/** There is no such backup. The message is for people. */
export class BackupNotFound extends Error {
  override name = 'BackupNotFound';
}

/** Nothing was replaced. The message is for people. */
export class RestoreFailed extends Error {
  override name = 'RestoreFailed';
}
