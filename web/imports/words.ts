import type { ListedImport } from '../../src/console/catalog-api.ts';

/** The words for the steps of an upload. A bulk change is no import to its user. */
export interface ImportWords {
  checking: string;
  checked: string;
  action: string;
  nothing: string;
  running: string;
  done: string;
  failed: string;
  /** What is under way, in “the … continues”. */
  noun: string;
}

const file: ImportWords = {
  checking: 'Checking file',
  checked: 'Ready to import',
  action: 'Import',
  nothing: 'Nothing to import',
  running: 'Importing',
  done: 'Imported',
  failed: 'Couldn’t import this file',
  noun: 'import',
};

const bulk: ImportWords = {
  checking: 'Preparing the preview',
  checked: 'Ready to apply',
  action: 'Apply',
  nothing: 'Nothing to change',
  running: 'Changing products',
  done: 'Applied',
  failed: 'Couldn’t apply this change',
  noun: 'change',
};

export function wordsOf({ is_bulk: isBulk }: Pick<ListedImport, 'is_bulk'>): ImportWords {
  return isBulk ? bulk : file;
}
