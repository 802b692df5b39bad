export const CHANGED_PRODUCTS = 'changed products';

/** Greater than every id: the end of a revision. */
export const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;
