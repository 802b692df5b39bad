import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shell is the same browser without a window, and takes two thirds of the CPU time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** `CHROMIUM`, or else the first of the usual names in PATH. */
export function findBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const directories = PATH.split(delimiter);
  const files = NAMES.flatMap((name) => directories.map((directory) => join(directory, name)));
  return files.find((file) => existsSync(file));
}

/** @throws {Error} if there is no browser */
export function requireBrowser(): string {
  const file = findBrowser();
  if (file === undefined) throw new Error('Chromium was not found in PATH, and CHROMIUM is not set.');
  return file;
}

/** The sandbox does not work for root. */
export const flags = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
