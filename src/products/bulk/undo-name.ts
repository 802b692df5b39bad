const UNDO = 'Undo: ';
const REDO = 'Redo: ';

/** An import, whose name describes it if the service has written its file. */
export interface NamedImport {
  name: string;
  isBulk: boolean;
}

/**
 * Names the undo of an import: `Undo: catalog.csv`. An undo of that is `Redo: catalog.csv`, and so on. Files
 * of merchants may have such names too.
 */
export function nameUndoOf({ name, isBulk }: NamedImport): string {
  if (isBulk && name.startsWith(UNDO)) return `${REDO}${name.slice(UNDO.length)}`;
  return `${UNDO}${isBulk && name.startsWith(REDO) ? name.slice(REDO.length) : name}`;
}

/** Returns whether an import is an undo, or the undo of one; undefined if it is neither. */
export function undoKind({ name, isBulk }: NamedImport): 'undo' | 'redo' | undefined {
  if (!isBulk) return undefined;
  if (name.startsWith(UNDO)) return 'undo';
  return name.startsWith(REDO) ? 'redo' : undefined;
}
