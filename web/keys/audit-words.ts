import type { AuditEntry } from '../../src/console/console-api.ts';

/** What was done, for people; what it was done to follows. */
export const auditWords: Record<AuditEntry['action'], string> = {
  'key.created': 'Key made',
  'key.imported': 'Key brought in',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'user.invited': 'User invited',
  'user.removed': 'User removed',
  'user.signed_in': 'Signed in',
  'user.session_ended': 'Session ended',
  'user.password_changed': 'Password changed',
  'user.two_factor_enabled': 'Second factor turned on',
  'user.two_factor_disabled': 'Second factor turned off',
  'products.imported': 'Products imported',
  'campaign.created': 'Campaign created',
};
