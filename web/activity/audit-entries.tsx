import type { ReactNode } from 'react';
import type { AuditEntry } from '../../src/console/console-api.ts';
import { Ago } from '../format/ago.tsx';
import { wordPerson } from '../format/author.ts';
import styles from './activity.module.css';
import { Author } from './author.tsx';
import { readChangedProduct } from './changed-product.ts';

/** The labels of actions. */
export const actionLabels: Record<AuditEntry['action'], string> = {
  'key.created': 'Key created',
  'key.imported': 'Key imported',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'marketplace.set_up': 'The operator’s screen was set up',
  'marketplace.changed': 'The marketplace’s settings were changed',
  'backup.created': 'The database was backed up',
  'user.invited': 'User invited',
  'user.joined': 'Invitation accepted',
  'user.removed': 'User removed',
  'user.role_changed': 'Role changed',
  'user.created': 'User created',
  'user.signed_in': 'Signed in',
  'user.sign_in_refused': 'Sign-in refused',
  'user.session_ended': 'Session ended',
  'user.password_changed': 'Password changed',
  'user.recovery_codes_created': 'Recovery codes created',
  'user.passkey_added': 'Passkey added',
  'user.passkey_renamed': 'Passkey renamed',
  'user.passkey_removed': 'Passkey removed',
  'user.two_factor_enabled': 'Two-factor authentication enabled',
  'user.two_factor_disabled': 'Two-factor authentication disabled',
  'support_view.opened': 'Opened the support view',
  'support_view.ended': 'Ended the support view',
  'webhook.created': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'webhook.deleted': 'Webhook deleted',
  'webhook.replayed': 'Events sent again to webhook',
  'webhook.tested': 'Test event sent to webhook',
  'webhook.disabled': 'Webhook disabled',
  'product.created': 'Product created',
  'product.changed': 'Product changed',
  'product.enabled': 'Product enabled',
  'product.catalog_only': 'Product catalog only',
  'product.disabled': 'Product disabled',
  'product.deleted': 'Product deleted',
  'product.moderated': 'Product moderated',
  'products.imported': 'Products imported',
  'products.bulk_changed': 'Bulk change',
  'import.canceled': 'Import canceled',
  'campaign.created': 'Campaign created',
  'campaign.changed': 'Campaign changed',
  'campaign.paused': 'Campaign paused',
  'campaign.resumed': 'Campaign resumed',
  'campaign.ended': 'Campaign ended',
  'order.acknowledged': 'Order acknowledged',
  'order.annotated': 'Note of order changed',
  'order.fulfilled': 'Order shipped',
  'order.unfulfilled': 'Package removed from order',
  'order.refunded': 'Order refunded',
  'order.canceled': 'Order canceled',
  'order.held': 'Order put on hold',
  'order.released': 'Order released',
  'order.redacted': 'Customer data of order erased',
  'order.customer_revealed': 'Customer data of order viewed',
  'merchant.created': 'Account created',
  'merchant.changed': 'Account changed',
  'merchant.two_factor_required': 'Two-factor authentication required of the team',
  'merchant.two_factor_optional': 'Two-factor authentication no longer required of the team',
  'merchant.test_data_opened': 'Test data opened',
  'merchant.suspended': 'Account suspended',
  'merchant.activated': 'Account activated',
  'metadata.changed': 'List changed',
  'metadata.reset': 'List returned to its default',
};

interface Props<Entry> {
  entries: readonly Entry[];
  /** Rendered after the subject, such as a link to the merchant. */
  renderMore?: (entry: Entry) => ReactNode;
}

/** A list of audit entries: the action, its subject, the user and the time. */
export function AuditEntries<Entry extends AuditEntry>({ entries, renderMore }: Props<Entry>) {
  return (
    <ul className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles.entry}>
          <span>
            <ActionWords action={entry.action} subject={entry.subject} />
            {renderMore?.(entry)}
          </span>
          <span className={`muted small ${styles.who}`}>
            <Author author={entry} /> · <Ago at={entry.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What an entry of the log says was done. */
export function ActionWords({ action, subject }: Pick<AuditEntry, 'action' | 'subject'>) {
  if (action === 'product.changed' && subject !== null) {
    const { product, fields } = readChangedProduct(subject);
    return (
      <>
        Changed {fields} of <span className={styles.subject}>{product}</span>
      </>
    );
  }
  return (
    <>
      {actionLabels[action] ?? action}
      {subject !== null && ': '}
      <span className={styles.subject}>{subject !== null && wordPerson(subject)}</span>
    </>
  );
}
