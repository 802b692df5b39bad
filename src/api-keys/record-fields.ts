/**
 * Which fields the records of products have for a caller: `original` adds fields that clients of other
 * versions of the API read.
 */
export const recordFields = ['standard', 'original'] as const;
export type RecordFields = (typeof recordFields)[number];
