/** The name of the listing of changes in cursors. */
export const CHANGED_PRODUCTS = 'changed products';

/** Greater than every id: a position after all products of a revision. */
export const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;
