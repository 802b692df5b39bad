/** The longest address that is taken, in characters. */
export const MOST_URL_LENGTH = 8192;
/** The most headers that are taken, and their size in bytes with the address. */
export const MOST_HEADERS = 100;
export const MOST_HEADER_BYTES = 16_384;
/** The most parameters that are read of a request: endpoints take a dozen at most. */
export const MOST_PARAMETERS = 250;
