interface Keys {
  /** @throws {KeyFileUnusable} */
  hasKeys(): Promise<boolean>;
  /** Takes what `findUsed` returns. @throws {KeyFileUnusable} if the key file lacks one of them */
  requireKeys(used: readonly string[]): Promise<void>;
  /** Does nothing if there are keys. @throws {KeyFileUnusable} */
  createKeys(): Promise<void>;
}

/** What the transaction does that stores what the keys encrypt. */
export interface KeyUse {
  /** Takes a lock that no other transaction of the database has, until the transaction ends. */
  lock(): Promise<unknown>;
  /** Lists the keys that encrypt values of the database. */
  findUsed(): Promise<readonly string[]>;
}

/**
 * Checks that the key file has every key that the database uses, and creates one if neither has any.
 * @throws {KeyFileUnusable}
 */
export async function ensureKeys(keys: Keys, { lock, findUsed }: KeyUse): Promise<void> {
  await keys.requireKeys(await findUsed());
  if (await keys.hasKeys()) return;
  // Without the lock, two nodes could each create one.
  await lock();
  await keys.requireKeys(await findUsed());
  await keys.createKeys();
}
