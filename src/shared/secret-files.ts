import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { messageOf } from './error-message.ts';
import { SettingError } from './setting-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Far above the longest secret, so that a wrong file is noticed. */
const MAX_BYTES = 64 * 1024;

/** Where a secret is read from. */
interface SecretFile {
  path: string;
  /** The setting that names the file; null if systemd gave it as a credential. */
  namedBy: string | null;
}

/**
 * Returns the secret `name` from the file that `NAME_FILE` names, or from systemd's credential `NAME`; null
 * if it has no file.
 * @throws {SettingError} if it is stated twice, or the file has no text of one line. The message has no part
 *   of the file’s content.
 */
export function readSecretFile(
  environment: Environment,
  name: string,
): (SecretFile & { value: string }) | null {
  const places = placesOf(environment, name);
  if (places.length > 1) {
    throw new SettingError(
      `${name} is stated more than once: ${listOf(places.map(({ place }) => place))}. Keep only one of them.`,
    );
  }
  const file = places[0]?.file;
  return file == null ? null : { ...file, value: readLine(name, file) };
}

function placesOf(environment: Environment, name: string): { place: string; file: SecretFile | null }[] {
  const isStated = (setting: string): boolean => Boolean(environment[setting]?.trim());
  const namedBy = `${name}_FILE`;
  const path = environment[namedBy]?.trim() ?? '';
  const credential = credentialOf(environment, name);
  return [
    ...(isStated(name) ? [{ place: `as ${name}`, file: null }] : []),
    ...(path !== '' ? [{ place: `in the file of ${namedBy}`, file: { path, namedBy } }] : []),
    ...(credential !== null
      ? [{ place: `as the systemd credential ${credential}`, file: { path: credential, namedBy: null } }]
      : []),
  ];
}

/** systemd puts the credentials of a service into a directory that only this service can read. */
function credentialOf(environment: Environment, name: string): string | null {
  const directory = environment.CREDENTIALS_DIRECTORY ?? '';
  if (!isAbsolute(directory)) return null;
  const path = join(directory, name);
  return statSync(path, { throwIfNoEntry: false }) === undefined ? null : path;
}

function readLine(name: string, { path, namedBy }: SecretFile): string {
  const refuse = (reason: string): never => {
    const start = namedBy === null ? `${name} is the systemd credential ${path}` : `${namedBy} is "${path}"`;
    throw new SettingError(`${start}, which ${reason}.`);
  };
  const bytes = readSmallFile(path, refuse);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return refuse('is not text in UTF-8');
  }
  if (text === '') return refuse('is empty');
  return /[\0\r\n]/.test(text) ? refuse('has more than one line: expected only the secret') : text;
}

function readSmallFile(path: string, refuse: (reason: string) => never): Buffer {
  let file: number;
  try {
    // Opening a named pipe would otherwise wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return refuse(`cannot be read: ${messageOf(error)}`);
  }
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) return refuse('is a directory: expected a file');
    if (!stats.isFile()) return refuse('is not a regular file');
    if (stats.size > MAX_BYTES)
      return refuse(`is larger than ${MAX_BYTES / 1024} KiB: expected only the secret`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    return refuse(`cannot be read: ${messageOf(error)}`);
  } finally {
    closeSync(file);
  }
}

function listOf(texts: readonly string[]): string {
  return texts.length < 3 ? texts.join(' and ') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
