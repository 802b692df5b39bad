/** Whether a path is the console's, which is for its own pages alone and tells other origins nothing. */
export function isConsolePath(path: string): boolean {
  return path === '/' || path === '/console' || path.startsWith('/console/');
}
