/** The path of the application: `/console/`, or `/operator/` for the operator's screen. */
export const base = import.meta.env.BASE_URL;

/** The path of the calls of its pages. */
export const apiPath = `${base}api/`;

const isScreen = base === '/operator/';

/** The name of the application, after the title of each page. */
export const applicationName = isScreen ? 'Tradepost Operator' : 'Tradepost';

/** What the application is for, beside the sign-in. */
export const tagline = isScreen
  ? 'Your marketplace, its merchants, and everything between them.'
  : 'Your catalog, campaigns, and sales in one place.';
