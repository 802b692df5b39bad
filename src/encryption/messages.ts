import { type KeyFileChange, KeyFileUnusable, UndecryptableValue } from './key-file.ts';

const REMEDY = 'Copy the file from another node, or from where you keep a copy of it.';

/** A line for the operator, after the first key of its kind was created. */
export function describeCreation(file: string, change: Exclude<KeyFileChange, 'nothing'>): string {
  return change === 'created'
    ? `Created the key file ${file}. Backups of the database do not contain it, so keep a copy of it elsewhere, and copy it to every node.`
    : `Added a key to the key file ${file}. Backups of the database do not contain it, so replace your copy of it, and copy it to every node.`;
}

/** `name` is `key` or `monthly key`, and its ID. */
export function missingKey(file: string, name: string, { isFile }: { isFile: boolean }): KeyFileUnusable {
  const problem = isFile
    ? `does not have the ${name}, which encrypts values of the database`
    : `does not exist, but the ${name} encrypts values of the database`;
  return new KeyFileUnusable(`The key file ${file} ${problem}. ${REMEDY}`);
}

/** The file had another secret under the same ID before. */
export function otherKey(file: string, name: string): KeyFileUnusable {
  return new KeyFileUnusable(
    `The key file ${file} was replaced, and has another secret as ${name} than before. ${REMEDY}`,
  );
}

/** `row` names the row of the value. */
export function undecryptable(
  file: string,
  { name, row, cause }: { name: string; row: string; cause: unknown },
): UndecryptableValue {
  const message =
    `The encrypted value of ${row} was changed, or belongs to another row, or ${name} in the key file ${file} was ` +
    `changed. If no other value of this key can be decrypted either, the key was changed. ${REMEDY}`;
  return new UndecryptableValue(message, { cause });
}
