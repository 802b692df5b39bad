/**
 * `numerator` ÷ `denominator` rounded half-up to so many decimals, exactly: both are whole numbers, the
 * numerator 0 or more and the denominator more.
 */
export function ratioHalfUp(numerator: number, denominator: number, decimals: number): number {
  const scale = 10n ** BigInt(decimals);
  const divisor = BigInt(denominator);
  const rounded = (2n * BigInt(numerator) * scale + divisor) / (2n * divisor);
  return Number(rounded) / Number(scale);
}
