/** The maximum length of a request target in characters: enough for the longest values, all percent-encoded. */
export const MAX_URL_LENGTH = 14_000;
/** The maximum length of a parameter in a path, in UTF-16 code units: more than any identifier has. */
export const MAX_PATH_PARAMETER_LENGTH = 600;
export const MAX_HEADERS = 100;
/**
 * The maximum size of the target and the headers in bytes: less than a TLS record, so that the first record of an
 * oversized request already exceeds the limit.
 */
export const MAX_HEADER_BYTES = 16_000;
/** The maximum size of post data in bytes: far more than the parameters of any endpoint need. */
export const MAX_BODY_BYTES = 64 * 1024;
/** The maximum size of post data of calls that write products: 10,000 variations in JSON. */
export const MAX_WRITE_BYTES = 1024 * 1024;
/** The maximum number of parameters of a request. Only a call that writes products can need more than a hundred. */
export const MAX_PARAMETERS = 1_000;
export const MAX_WRITE_PARAMETERS = 50_000;
/** The maximum number of unrecognized names in a message. */
export const MAX_UNRECOGNIZED_NAMES = 1_000;
/** The maximum nesting of JSON. Parsing tens of thousands of levels would hold up other requests. */
export const MAX_JSON_DEPTH = 100;
/** The maximum number of entries of a nested parameter. */
export const MAX_ENTRIES = 10_000;
