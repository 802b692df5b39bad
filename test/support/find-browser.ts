import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Where the browser is: what `CHROMIUM` names, else the first of the usual names in PATH. */
export function findBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const directories = PATH.split(delimiter);
  const files = NAMES.flatMap((name) => directories.map((directory) => join(directory, name)));
  return files.find((file) => existsSync(file));
}

/** The same, where nothing goes without one. @throws {Error} where there is none */
export function requireBrowser(): string {
  const file = findBrowser();
  if (file === undefined) throw new Error('There is no Chromium in PATH, and CHROMIUM names none.');
  return file;
}

/** What a browser is told that nobody looks at. Its sandbox needs an account other than root. */
export const flags = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
