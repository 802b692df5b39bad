/** In characters: enough for the longest values, all percent-encoded. */
export const MAX_URL_LENGTH = 14_000;
/** In UTF-16 code units: more than any identifier has. */
export const MAX_PATH_PARAMETER_LENGTH = 600;
export const MAX_HEADERS = 100;
/** Less than a TLS record, so that the first record of an oversized request already exceeds the limit. */
export const MAX_HEADER_BYTES = 16_000;
/** Far more than the parameters of most endpoints need. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Of a file that arrives before its sender is known. */
export const MAX_HELD_FILE_BYTES = 1024 * 1024;
/** For calls that write products: 10,000 variations in JSON. */
export const MAX_WRITE_BYTES = 1024 * 1024;
/** Only a call that writes products can need more than a hundred. */
export const MAX_PARAMETERS = 1_000;
export const MAX_WRITE_PARAMETERS = 50_000;
/** In a message. */
export const MAX_UNRECOGNIZED_NAMES = 1_000;
/** The maximum nesting of JSON. Parsing tens of thousands of levels would hold up other requests. */
export const MAX_JSON_DEPTH = 100;
/** In a nested parameter. */
export const MAX_ENTRIES = 10_000;
