/** Whether a path belongs to the console, whose responses other origins may not read. */
export function isConsolePath(path: string): boolean {
  return path === '/' || path === '/console' || path.startsWith('/console/');
}
