import { useState } from 'react';
import {
  ProductChanged,
  type ProductVersion,
  showProduct,
  writeVariation,
} from '../products/product-version.ts';
import { saveWithRetry } from '../products/save-with-retry.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { changesOf, clashesOf, type Edits, inverseOf, type NewVariation, textOf, withEdit } from './edits.ts';

/** Edits that someone else's save contradicts. */
export interface Conflict {
  edits: Edits;
  added: readonly NewVariation[];
  current: ProductVersion;
  /** The inputs with two different texts. */
  names: string[];
}

/** What the last save changed, and how to undo it. */
interface LastSave {
  undo: Edits;
  /** The identifiers of variations that were added. */
  added: string[];
  version: ProductVersion;
}

/** The state of a product's form. `latest` is the newest version that the page has read. */
export function useEditor(latest: ProductVersion) {
  // The version that the edits are based on. It stays the same while there are edits, whatever others save.
  const [started, setStarted] = useState<ProductVersion>();
  const [edits, setEdits] = useState<Edits>({});
  const [added, setAdded] = useState<readonly NewVariation[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Conflict>();
  const [lastSave, setLastSave] = useState<LastSave>();
  const [isSaving, setSaving] = useState(false);
  const isDirty = Object.keys(edits).length > 0 || added.length > 0;
  const isNewest = started !== undefined && isOlder(latest, started);
  const base = started !== undefined && (isDirty || isNewest) ? started : latest;

  const begin = (): void => {
    if (!isDirty) setStarted(base);
    setLastSave(undefined);
  };
  const discard = (): void => {
    setEdits({});
    setAdded([]);
    setErrors({});
    setFailure(null);
  };
  const save = async (
    wanted: Edits,
    more: readonly NewVariation[],
    from: ProductVersion,
  ): Promise<boolean> => {
    setSaving(true);
    setErrors({});
    setFailure(null);
    const clashesIn = (current: ProductVersion): string[] => clashesOf(wanted, from.product, current.product);
    try {
      const { before, after } = await saveWithRetry(
        from,
        changesOf(wanted, more),
        (current) => clashesIn(current).length > 0,
      );
      discard();
      setStarted(after);
      setConflict(undefined);
      setLastSave({
        undo: inverseOf(wanted, before.product),
        added: more.map(({ identifier }) => identifier),
        version: after,
      });
      return true;
    } catch (error) {
      if (error instanceof ProductChanged) {
        const { current } = error;
        setConflict({ edits: wanted, added: more, current, names: clashesIn(current) });
      } else {
        setErrors(fieldErrors(error));
        setFailure(error);
      }
      return false;
    } finally {
      setSaving(false);
    }
  };

  return {
    base,
    isDirty,
    isSaving,
    edits,
    added,
    errors,
    failure,
    conflict,
    lastSave,
    discard,
    /** Hides what the last save changed: it is no longer the last change. */
    forgetLastSave: (): void => setLastSave(undefined),
    textOf: (name: string): string => edits[name] ?? textOf(base.product, name),
    edit: (name: string, text: string): void => {
      begin();
      setEdits((before) => withEdit(before, base.product, name, text));
      setErrors(({ [name]: _, ...others }) => others);
    },
    setAdded: (variations: readonly NewVariation[]): void => {
      begin();
      setAdded(variations);
    },
    save: (): Promise<boolean> => save(edits, added, base),
    undo: async (): Promise<void> => {
      if (lastSave === undefined) return;
      const { undo, added: variations, version } = lastSave;
      if (Object.keys(undo).length > 0 && !(await save(undo, [], version))) return;
      for (const identifier of variations) await writeVariation(version.product, identifier, 'delete');
      setLastSave(undefined);
    },
    /** Saves the user's choice: for each input of the conflict, whether to keep the others' text. */
    resolve: async (theirs: ReadonlySet<string>): Promise<void> => {
      if (conflict === undefined) return;
      const { current, added: more } = conflict;
      const kept = Object.entries(conflict.edits).filter(([name]) => !theirs.has(name));
      const wanted = Object.fromEntries(
        kept.filter(([name, text]) => text !== textOf(current.product, name)),
      );
      if (Object.keys(wanted).length > 0 || more.length > 0) {
        await save(wanted, more, current);
        return;
      }
      showProduct(current);
      discard();
      setStarted(current);
      setConflict(undefined);
      setLastSave(undefined);
    },
    cancelConflict: (): void => setConflict(undefined),
  };
}

function isOlder({ product: one }: ProductVersion, { product: other }: ProductVersion): boolean {
  return Date.parse(one.updated_at ?? '') < Date.parse(other.updated_at ?? '');
}

export type Editor = ReturnType<typeof useEditor>;
