/** What the service and its pages both say of passkeys. Imports nothing, because pages load it. */

export const MAX_PASSKEY_NAME_LENGTH = 60;

/** Browsers have passkeys for host names only. */
export const NO_PASSKEYS_AT_ADDRESS = 'Passkeys don’t work at an IP address. Open this page by its name.';
