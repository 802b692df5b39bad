import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { DialogForm } from '../ui/dialog-form.tsx';
import type { Listing } from './listing.ts';
import { type SavedView, useSaveViews } from './saved-views-store.ts';

/** The server’s limit, in characters. */
const MAX_NAME_LENGTH = 60;

interface Props {
  views: SavedView[];
  /** The list to save. */
  listing: Listing;
  onClose: () => void;
}

/** Asks for the name of a view, and saves it. */
export function NameView({ views, listing: { page: _, ...listing }, onClose }: Props) {
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const saving = useSaveViews();
  const save = (): void => {
    const view = { name: name.trim(), listing };
    setMissing(view.name === '');
    if (view.name === '') return;
    const others = views.filter((other) => other.name !== view.name);
    saving.mutate([...others, view], {
      onSuccess: () => {
        onClose();
        notifications.show({ message: `View “${view.name}” saved.` });
      },
    });
  };
  return (
    <DialogForm
      title="Save this view"
      noValidate
      action="Save"
      mutation={saving}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="A view with the same name is replaced."
        data-autofocus
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        error={isMissing ? 'Enter a name.' : undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
