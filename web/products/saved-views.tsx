import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { IconBookmark, IconCheck } from '../ui/icons.ts';
import { showError } from '../ui/notify.tsx';
import type { Listing } from './listing.ts';
import { NameView } from './name-view.tsx';
import styles from './products.module.css';
import { isSameListing, type SavedView, useSavedViews, useSaveViews } from './saved-views-store.ts';

/** A menu of the user's saved views, which saves and deletes them too. */
export function SavedViews({ listing }: { listing: Listing }) {
  const views = useSavedViews();
  const { mutate } = useSaveViews();
  const navigate = useNavigate();
  const [isNaming, { open, close }] = useDisclosure(false);
  const isSupportView = useSession().support_view !== null;
  const shown = views.find((view) => isSameListing(view.listing, listing));
  const remove = ({ name }: SavedView): void => {
    const others = views.filter((view) => view.name !== name);
    mutate(others, {
      onSuccess: () => notifications.show({ message: `View “${name}” deleted.` }),
      onError: showError,
    });
  };
  if (isSupportView) return null;
  return (
    <>
      <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} />}>
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
      {isNaming && <NameView views={views} listing={listing} onClose={close} />}
    </>
  );
}
