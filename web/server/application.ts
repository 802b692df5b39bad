/** The path of the application: `/console/`, or `/operator/` for the operator's screen. */
export const base = import.meta.env.BASE_URL;

/** The path of the calls of its pages. */
export const apiPath = `${base}api/`;

const isScreen = base === '/operator/';

/**
 * The name of the marketplace, which the server writes into the page. The build writes the product's, where
 * the server finds it.
 */
export const marketplaceName =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ??
  'Tradepost';

/** The name of the application, after the title of each page. */
export const applicationName = isScreen ? `${marketplaceName} Operator` : marketplaceName;

/** Where people get help, which the server writes into the page; null if the operator has not said it. */
export const supportUrl =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="support"]')?.content ?? null;

/** What the application is for, beside the sign-in. */
export const tagline = isScreen
  ? 'Your marketplace, its merchants, and everything between them.'
  : 'Your catalog, campaigns, and sales in one place.';
