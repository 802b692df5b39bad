export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * `numerator` ÷ `denominator`, rounded half up to this many decimals, without floating-point errors. Both
 * must be whole numbers, at least 0 and 1.
 */
export function ratioHalfUp(numerator: number, denominator: number, decimals: number): number {
  const scale = 10n ** BigInt(decimals);
  const divisor = BigInt(denominator);
  const rounded = (2n * BigInt(numerator) * scale + divisor) / (2n * divisor);
  return Number(rounded) / Number(scale);
}
