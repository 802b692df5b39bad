import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import type { Listing } from './listing.ts';
import styles from './products.module.css';
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
  const { mutate, isPending, error } = useSaveViews();
  const save = (): void => {
    const view = { name: name.trim(), listing };
    setMissing(view.name === '');
    if (view.name === '' || isPending) return;
    const others = views.filter((other) => other.name !== view.name);
    mutate([...others, view], {
      onSuccess: () => {
        onClose();
        notifications.show({ message: `View “${view.name}” saved.` });
      },
    });
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <FormError error={error} />
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
        <div className={styles.dialogButtons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-busy={isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
