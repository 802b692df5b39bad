/**
 * Returns a form of a name that is equal for names that people may mistake for each other. It ignores case, width and
 * other compatible spellings, the amount of white space, and characters that are never visible. Letters of different
 * scripts remain different, even if they look alike.
 */
export function foldName(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      // "ẞ" is "SS" only in the upper case of its lower case.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}
