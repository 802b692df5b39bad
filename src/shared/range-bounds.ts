/** 1, 2 and 5 times each power of ten up to 5,000,000: the bounds of ranges that people choose from. */
export const rangeBounds: readonly number[] = [0, 1, 2, 3, 4, 5, 6].flatMap((power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
);
