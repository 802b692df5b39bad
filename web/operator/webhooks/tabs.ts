/** The “state” of the list of the marketplace's own webhooks, which has all states. */
export const MARKETPLACE = 'marketplace';

/** The lists of webhooks: merchants' by state, and the marketplace's own. */
export const tabs = [
  { state: undefined, label: 'Failing' },
  { state: 'disabled', label: 'Disabled' },
  { state: 'enabled', label: 'Enabled' },
  { state: MARKETPLACE, label: 'Marketplace' },
];
