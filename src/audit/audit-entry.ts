import type { ActorKind } from '../database/actor.ts';

export type AuditAction =
  | 'key.created'
  | 'key.imported'
  | 'key.rotated'
  | 'key.revoked'
  | 'marketplace.set_up'
  | 'marketplace.changed'
  | 'backup.created'
  | 'user.invited'
  | 'user.joined'
  | 'user.removed'
  | 'user.role_changed'
  | 'user.created'
  | 'user.signed_in'
  | 'user.sign_in_refused'
  | 'user.session_ended'
  | 'user.password_changed'
  | 'user.recovery_codes_created'
  | 'user.two_factor_enabled'
  | 'user.two_factor_disabled'
  | 'user.passkey_added'
  | 'user.passkey_renamed'
  | 'user.passkey_removed'
  | 'support_view.opened'
  | 'support_view.ended'
  | 'product.created'
  | 'product.changed'
  | 'product.enabled'
  | 'product.catalog_only'
  | 'product.disabled'
  | 'product.deleted'
  | 'product.moderated'
  | 'products.imported'
  | 'products.bulk_changed'
  | 'import.canceled'
  | 'campaign.created'
  | 'campaign.changed'
  | 'campaign.paused'
  | 'campaign.resumed'
  | 'campaign.ended'
  | 'order.acknowledged'
  | 'order.annotated'
  | 'order.fulfilled'
  | 'order.unfulfilled'
  | 'order.refunded'
  | 'order.canceled'
  | 'order.held'
  | 'order.released'
  | 'order.redacted'
  | 'order.customer_revealed'
  | 'merchant.created'
  | 'merchant.changed'
  | 'merchant.two_factor_required'
  | 'merchant.two_factor_optional'
  | 'merchant.test_data_opened'
  | 'merchant.suspended'
  | 'merchant.activated'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.secret_rotated'
  | 'webhook.deleted'
  | 'webhook.disabled'
  | 'webhook.replayed'
  | 'webhook.tested'
  | 'metadata.changed'
  | 'metadata.reset';

export interface AuditEntry {
  id: string;
  /** RFC 3339. */
  at: string;
  who_kind: ActorKind;
  /** The name and email of a person, or the ID of a key; empty for commands and the service. */
  who: string;
  action: AuditAction;
  /** Such as a key's id and name; null if the action needs none. */
  subject: string | null;
}
