import { Button } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { labelOf } from '../products/fields.ts';
import { readableText } from '../products/money-fields.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { EmptyValue } from '../ui/empty-value.tsx';
import { textOf } from './edits.ts';
import styles from './product.module.css';
import type { Conflict, Editor } from './use-editor.ts';

/** Lets the user choose, for each field that two people have changed, whose text stays. */
export function ConflictDialog({ conflict, editor }: { conflict: Conflict; editor: Editor }) {
  const { names, edits, current } = conflict;
  const { money } = useFormats();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean): void => {
    setTheirs((before) => (isTheirs ? new Set([...before, name]) : before.difference(new Set([name]))));
  };
  return (
    <DialogForm
      title="Someone else changed this product"
      size="lg"
      text={<p>Choose which version to keep. Their other changes are kept.</p>}
      cancel="Back to editing"
      action="Save"
      mutation={{ error: null, isPending: editor.isSaving }}
      onSubmit={() => void editor.resolve(theirs)}
      onClose={editor.cancelConflict}
    >
      {names.length > 1 && (
        <div className={styles.both}>
          <Button variant="default" size="compact-sm" onClick={() => setTheirs(new Set())}>
            Keep all of mine
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => setTheirs(new Set(names))}>
            Take all of theirs
          </Button>
        </div>
      )}
      {names.map((name) => (
        <fieldset key={name} className={styles.choices}>
          <legend>{labelOf(name)}</legend>
          {(['mine', 'theirs'] as const).map((whose) => (
            <label key={whose} className={styles.choice}>
              <input
                type="radio"
                name={`conflict-${name}`}
                checked={theirs.has(name) === (whose === 'theirs')}
                onChange={() => choose(name, whose === 'theirs')}
              />
              <span>
                <strong>{whose === 'mine' ? 'Keep mine' : 'Take theirs'}</strong>
                <span className={styles.choiceText}>
                  {readableText(
                    name,
                    (whose === 'mine' ? edits[name] : textOf(current.product, name)) ?? '',
                    money,
                  ) || <EmptyValue />}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </DialogForm>
  );
}
