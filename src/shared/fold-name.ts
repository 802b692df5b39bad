/**
 * The results are equal for names that people may mistake for each other. Case, width and other compatible
 * spellings, the amount of white space and invisible characters do not matter. Letters of different scripts
 * remain different, even if they look alike.
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
