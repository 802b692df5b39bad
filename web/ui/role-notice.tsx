import { useAllows } from '../session/role.ts';
import { useSession } from '../session/session.ts';
import { IconLock } from './icons.ts';
import styles from './role-notice.module.css';

interface Props {
  /** The least role that may make changes on the page. */
  least: 'editor' | 'owner';
  /** Completes “Only owners can …”. */
  action: string;
}

/** Says who can make changes, if the user's role does not allow them. */
export function RoleNotice({ least, action }: Props) {
  const { user, support_view: supportView } = useSession();
  const isAllowed = useAllows(least);
  // The bar of the support view says it on every page.
  if (isAllowed || supportView !== null) return null;
  return (
    <p className={styles.notice}>
      <IconLock size={16} stroke={1.7} />
      Only {least === 'owner' ? 'owners' : 'owners and editors'} can {action}. You are{' '}
      {user.role === 'viewer' ? 'a viewer' : 'an editor'}.
    </p>
  );
}
