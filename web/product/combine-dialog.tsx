import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { combinationsOf } from './combinations.ts';
import type { Editor } from './use-editor.ts';

/** So many rows can still be looked through. The server’s limit is higher. */
const MAX_ADDED = 200;

/** Adds rows for each size in each color. Nothing is saved yet. */
export function CombineDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { count, whole } = useFormats();
  const [sizes, setSizes] = useState('');
  const [colors, setColors] = useState('');
  const { identifier, variations } = editor.base.product;
  const existing = { identifier, variations: [...variations, ...editor.added] };
  const rows = combinationsOf(existing, sizes, colors);
  const isTooMany = rows.length > MAX_ADDED;
  return (
    <DialogForm
      title="Add variations by size and color"
      text={
        <p className="muted">
          Adds a variation for each size in each color. Combinations that already exist are skipped.
        </p>
      }
      action={rows.length === 0 || isTooMany ? 'Add variations' : `Add ${count(rows.length, 'variation')}`}
      button={{ disabled: rows.length === 0 || isTooMany }}
      onSubmit={() => {
        editor.setAdded([...editor.added, ...rows]);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Sizes"
        description="Separated by commas, like S, M, L"
        autoComplete="off"
        data-autofocus
        value={sizes}
        onChange={(event) => setSizes(event.currentTarget.value)}
      />
      <TextInput
        label="Colors"
        description="Separated by commas, like Moss, Sand"
        autoComplete="off"
        error={isTooMany && `These are ${whole(rows.length)} combinations. Add at most ${MAX_ADDED} at once.`}
        value={colors}
        onChange={(event) => setColors(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
