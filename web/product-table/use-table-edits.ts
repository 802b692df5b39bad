import { useState } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { problemOf } from './cells.ts';
import {
  type CellChange,
  type EditedProducts,
  type SaveResult,
  shownText,
  unedited,
  withChanges,
  withResult,
} from './edited-products.ts';
import { saveProducts } from './save-product.ts';

/** The edits of several products, which can be undone step by step, also after they were saved. */
export function useTableEdits(loaded: readonly Product[]) {
  const [products, setProducts] = useState<EditedProducts>(
    () => new Map(loaded.map((product) => [product.internal_id, unedited(product)])),
  );
  const [steps, setSteps] = useState<readonly (readonly CellChange[])[]>([]);
  const [isSaving, setSaving] = useState(false);
  const edited = [...products.values()].filter(({ edits }) => Object.keys(edits).length > 0);
  const texts = edited.flatMap(({ edits }) => Object.entries(edits));

  return {
    products,
    isSaving,
    edited,
    /** The number of edits. */
    changes: texts.length,
    /** The number of edits that are not valid. */
    invalid: texts.filter(([name, text]) => problemOf(name, text) !== undefined).length,
    canUndo: steps.length > 0,
    /** Changes cells in one step. */
    change: (changes: readonly CellChange[]): void => {
      const before = changes.map(({ id, name }) => ({ id, name, text: shownText(products, id, name) }));
      if (changes.every(({ text }, index) => text === before[index]?.text)) return;
      setProducts(withChanges(products, changes));
      setSteps([...steps, before]);
    },
    undo: (): void => {
      setProducts(withChanges(products, steps.at(-1) ?? []));
      setSteps(steps.slice(0, -1));
    },
    discard: (): void => {
      setProducts(new Map([...products].map(([id, { product }]) => [id, unedited(product)])));
      setSteps([]);
    },
    /** Takes the others’ texts where someone else was faster. */
    takeTheirs: (): void =>
      setProducts(
        new Map(
          [...products].map(([id, each]) => [
            id,
            {
              ...each,
              edits: Object.fromEntries(
                Object.entries(each.edits).filter(([name]) => !each.overtaken.includes(name)),
              ),
              overtaken: [],
            },
          ]),
        ),
      ),
    /** Saves all edits. Resolves to the results. */
    save: async (): Promise<SaveResult[]> => {
      setSaving(true);
      const results: SaveResult[] = [];
      try {
        await saveProducts(edited, ({ internal_id: id }, result) => {
          results.push(result);
          setProducts((before) => withResult(before, id, result));
        });
      } finally {
        setSaving(false);
      }
      return results;
    },
  };
}

export type TableEdits = ReturnType<typeof useTableEdits>;
