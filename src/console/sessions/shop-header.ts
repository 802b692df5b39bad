/**
 * Says for which merchant the page was loaded that sends a request; in test data, for which test side. A
 * response with it names the merchant of the session, because it is another one.
 */
export const SHOP_HEADER = 'tradepost-merchant';

/** The same for links to files, whose requests have no headers of the page. */
export const SHOP_PARAMETER = 'tradepost_merchant';
