/** The name of a list as a title, such as “Country codes”. */
export function listTitle(list: string): string {
  return `${list.charAt(0).toUpperCase()}${list.slice(1).replaceAll('_', ' ')}`;
}
