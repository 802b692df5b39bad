import type { ListedImport } from '../../src/console/catalog-api.ts';
import { undoKind } from '../../src/products/bulk/undo-name.ts';

/** The words for the steps of an upload. A bulk change is no import to its user. */
export interface ImportWords {
  /** The title of the page; by default the page’s own. */
  title?: string;
  /** What to do with the preview. */
  lead: string;
  checking: string;
  checked: string;
  action: string;
  nothing: string;
  running: string;
  done: string;
  failed: string;
  /** What is under way, in “the … continues”. */
  noun: string;
  /** The label of the button that undoes it. */
  undo: string;
}

const file: ImportWords = {
  lead: 'Preview the changes before importing.',
  checking: 'Checking file',
  checked: 'Ready to import',
  action: 'Import',
  nothing: 'Nothing to import',
  running: 'Importing',
  done: 'Imported',
  failed: 'Couldn’t import this file',
  noun: 'import',
  undo: 'Undo this import',
};

const bulk: ImportWords = {
  title: 'Change products',
  lead: 'Preview the changes before applying them.',
  checking: 'Preparing the preview',
  checked: 'Ready to apply',
  action: 'Apply',
  nothing: 'Nothing to change',
  running: 'Changing products',
  done: 'Applied',
  failed: 'Couldn’t apply this change',
  noun: 'change',
  undo: 'Undo this change',
};

const undo: ImportWords = {
  title: 'Undo changes',
  lead: 'Check what returns before you undo the changes.',
  checking: 'Preparing the preview',
  checked: 'Ready to undo',
  action: 'Undo changes',
  nothing: 'Nothing to undo',
  running: 'Undoing changes',
  done: 'Undone',
  failed: 'Couldn’t undo these changes',
  noun: 'undo',
  undo: 'Undo this undo',
};

const redo: ImportWords = {
  title: 'Redo changes',
  lead: 'Check what returns before you redo the changes.',
  checking: 'Preparing the preview',
  checked: 'Ready to redo',
  action: 'Redo changes',
  nothing: 'Nothing to redo',
  running: 'Redoing changes',
  done: 'Redone',
  failed: 'Couldn’t redo these changes',
  noun: 'redo',
  undo: 'Undo these changes',
};

/** An import of any list. The name is null if it is not known. */
interface Named extends Pick<ListedImport, 'is_bulk'> {
  name: string | null;
}

export function wordsOf(upload: Named): ImportWords {
  const kind = kindOf(upload);
  if (kind === undefined) return upload.is_bulk ? bulk : file;
  return kind === 'undo' ? undo : redo;
}

/** Whether an import undoes other changes. */
export function isUndo(upload: Named): boolean {
  return kindOf(upload) !== undefined;
}

function kindOf({ name, is_bulk: isBulk }: Named): 'undo' | 'redo' | undefined {
  return undoKind({ name: name ?? '', isBulk });
}
