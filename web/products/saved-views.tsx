import { Button, Menu, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { IconBookmark, IconCheck } from '../ui/icons.ts';
import type { Listing } from './listing.ts';
import styles from './products.module.css';
import {
  isSameListing,
  MAX_NAME_LENGTH,
  MAX_VIEWS,
  type SavedView,
  useSavedViews,
} from './saved-views-store.ts';

/** A menu of the user's saved views, which saves and deletes them too. */
export function SavedViews({ listing }: { listing: Listing }) {
  const [views, setViews] = useSavedViews();
  const navigate = useNavigate();
  const [isNaming, { open, close }] = useDisclosure(false);
  const shown = views.find((view) => isSameListing(view.listing, listing));
  const remove = ({ name }: SavedView): void => {
    setViews(views.filter((view) => view.name !== name));
    notifications.show({ message: `View “${name}” deleted.` });
  };
  return (
    <>
      <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden="true" />}>
            <span className={styles.viewName}>{shown?.name ?? 'Views'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.views ?? ''}>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => void navigate({ to: '/products', search: view.listing })}
              rightSection={view === shown ? <IconCheck size={15} aria-label="shown" /> : null}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length === 0 && <Menu.Label>Save searches and filters that you use often.</Menu.Label>}
          <Menu.Divider />
          <Menu.Item onClick={open}>Save this view…</Menu.Item>
          {shown !== undefined && <Menu.Item onClick={() => remove(shown)}>Delete “{shown.name}”</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameView
          onClose={close}
          onSave={(name) => {
            const { page: _, ...saved } = listing;
            const others = views.filter((view) => view.name !== name);
            setViews([...others, { name, listing: saved }].slice(-MAX_VIEWS));
            close();
            notifications.show({ message: `View “${name}” saved in this browser.` });
          }}
        />
      )}
    </>
  );
}

function NameView({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') setError('Enter a name.');
          else onSave(name.trim());
        }}
      >
        <TextInput
          label="Name"
          description="A view with the same name is replaced."
          data-autofocus
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          error={error}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={styles.dialogButtons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Save</Button>
        </div>
      </form>
    </Dialog>
  );
}
