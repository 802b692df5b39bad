/** Whether random tests run in full and every variant of a page is inspected, as in `npm run test:all`. */
export const isThorough = (process.env.THOROUGH ?? '') !== '';

/** How many random inputs a test tries: all of them if `isThorough`, else a third. */
export function runs(count: number): number {
  return isThorough ? count : Math.ceil(count / 3);
}
