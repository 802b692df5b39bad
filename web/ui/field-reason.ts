/** What people read instead of the API's reasons for rejecting a value, which integrations also get. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^expected a number(,| that is) 0 or more/, 'Enter an amount of 0 or more, like 12.50'],
  [/^expected a whole number (from 0 to|that is 0)/, 'Enter a whole number, 0 or higher'],
  [
    /^expected a number without thousands/,
    'Enter the amount with a decimal point and no thousands separators, like 1234.50',
  ],
  [/^expected a number from -99 to 1000, not 0/, 'Enter a percentage from -99 to 1000, but not 0'],
];

/** Returns the server's reason for rejecting a value as the console shows it. */
export function fieldReason(reason: string): string {
  const wording = wordings.find(([pattern]) => pattern.test(reason))?.[1];
  return wording ?? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}
