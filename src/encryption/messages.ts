import { type KeyFileChange, KeyFileUnusable } from './key-file.ts';

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
  return new KeyFileUnusable(
    `The key file ${file} ${problem}. Copy the file from another node, or from where you keep a copy of it.`,
  );
}
