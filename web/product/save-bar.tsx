import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { hasInput, labelOf } from '../products/fields.ts';
import { errorMessage } from '../server/server-error.ts';
import { IconAlertTriangle, IconCircleCheck } from '../ui/icons.ts';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';

const MAX_NAMED = 3;

/** Says what is not saved yet, and saves it. After a save, offers to undo it. */
export function SaveBar({ editor }: { editor: Editor }) {
  const { isDirty, isSaving, edits, added, errors, failure, lastSave } = editor;
  const changes = [
    ...Object.keys(edits).map(labelOf),
    ...(added.length === 0
      ? []
      : [added.length === 1 ? 'a new variation' : `${added.length} new variations`]),
  ];
  const hasFailed = failure !== null;
  const bar = useRef<HTMLDivElement>(null);
  const isShown = isDirty || lastSave !== undefined;
  // A pressed button may be gone after its action, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes the buttons
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    const target = bar.current?.querySelector('button') ?? document.getElementById('main');
    target?.focus({ preventScroll: true });
  }, [isDirty, lastSave]);
  const inFields = Object.keys(errors).length;
  // Others, such as that the product is deleted, have no input to be shown next to.
  const haveInputs = inFields > 0 && Object.keys(errors).every(hasInput);
  return (
    <div ref={bar} className={styles.saveBar} data-shown={isShown || undefined}>
      <p className={styles.saveText} role={hasFailed ? 'alert' : 'status'}>
        {hasFailed ? (
          <>
            <IconAlertTriangle size={17} className={styles.bad} />{' '}
            {haveInputs ? notSaved(inFields) : errorMessage(failure)}
          </>
        ) : isDirty ? (
          `Unsaved changes: ${listOf(changes)}`
        ) : lastSave !== undefined ? (
          <>
            <IconCircleCheck size={17} className={styles.good} /> Saved
          </>
        ) : null}
      </p>
      {isDirty && (
        <>
          <Button variant="default" size="sm" onClick={() => !isSaving && editor.discard()}>
            Discard
          </Button>
          {/* A loading button would be disabled, and lose the focus. */}
          <Button type="submit" size="sm" aria-busy={isSaving}>
            {isSaving ? 'Saving…' : 'Save'}
          </Button>
        </>
      )}
      {!isDirty && lastSave !== undefined && (
        <Button
          variant="default"
          size="sm"
          aria-busy={isSaving}
          onClick={() => !isSaving && void editor.undo()}
        >
          Undo
        </Button>
      )}
    </div>
  );
}

function notSaved(fields: number): string {
  return fields === 1
    ? 'Couldn’t save: 1 field has an error.'
    : `Couldn’t save: ${fields} fields have errors.`;
}

function listOf(names: string[]): string {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
