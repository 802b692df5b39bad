/** The longest address that is taken, in characters: the longest values have their place in it, all escaped. */
export const MOST_URL_LENGTH = 14_000;
/** The most headers that are taken. */
export const MOST_HEADERS = 100;
/** Their size in bytes with the address: less than a TLS record, so that what is longer is seen at once. */
export const MOST_HEADER_BYTES = 16_000;
/** The most parameters that are read of a request: endpoints take a dozen at most. */
export const MOST_PARAMETERS = 1_000;
