// The same rule as at sign-in, which would reject other addresses.
const ADDRESS = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;
export const MAX_ADDRESS_LENGTH = 254;

/** For text in lower case. Such an address needs no quoting in a mail. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text);
}
