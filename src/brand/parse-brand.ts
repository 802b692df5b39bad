import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../shared/error-message.ts';
import { SettingError } from '../shared/setting-error.ts';
import type { Brand, Logo } from './brand.ts';
import { findUnsafePart } from './check-svg.ts';
import { isColor } from './contrast.ts';

const MAX_NAME_LENGTH = 40;
const MAX_LOGO_BYTES = 200_000;

/** Only a declaration, comments and a document type may precede the element. */
const SVG = /^\uFEFF?\s*(?:<\?xml\s[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE\s[^>]*>\s*)*<svg[\s>]/s;

/** Without parameters, which could fill in a whole mail. */
const SUPPORT_MAIL = /^mailto:[^\s@?&#<>"]+@[^\s@?&#<>"]+$/;
const MAX_SUPPORT_LENGTH = 200;

/**
 * Reads BRAND_NAME, BRAND_LOGO (the path of a file), BRAND_COLOR and SUPPORT_URL, each empty if it is not
 * set.
 * @throws {SettingError} for the first invalid one
 */
export function parseBrand({ name, logo, color, support }: Record<keyof Brand, string>): Brand {
  return {
    name: name === '' ? null : parseName(name),
    logo: logo === '' ? null : readLogo(logo),
    color: color === '' ? null : parseColor(color),
    support: support === '' ? null : parseSupport(support),
  };
}

function parseName(name: string): string {
  if ([...name].length <= MAX_NAME_LENGTH && name.isWellFormed() && !/[\p{C}\u2028\u2029]/u.test(name))
    return name;
  throw new SettingError(
    `BRAND_NAME is "${name}": expected at most ${MAX_NAME_LENGTH} characters, all of them visible.`,
  );
}

function parseColor(color: string): string {
  if (isColor(color)) return color.toLowerCase();
  throw new SettingError(`BRAND_COLOR is "${color}": expected a color such as #0c6475.`);
}

function parseSupport(support: string): string {
  const url = URL.parse(support);
  const isKnown = url?.protocol === 'https:' || (SUPPORT_MAIL.test(support) && isDecodable(support));
  if (url !== null && isKnown && url.href.length <= MAX_SUPPORT_LENGTH) return url.href;
  throw new SettingError(
    `SUPPORT_URL is "${support}": expected an https:// address or a mailto: address, such as mailto:help@shop.example.`,
  );
}

/** Pages show the address decoded. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readLogo(path: string): Logo {
  const bytes = readFile(path);
  const type = typeOf(bytes);
  if (type === undefined) throw invalidLogo(path, 'expected a PNG, JPEG, WebP or SVG image');
  if (type === 'image/svg+xml') {
    const part = findUnsafePart(bytes.toString());
    if (part !== undefined)
      throw invalidLogo(path, `${part}: expected an SVG image without scripts and references to other files`);
  }
  return { type, bytes };
}

function readFile(path: string): Buffer {
  let size: number;
  try {
    size = statSync(path).size;
    if (size <= MAX_LOGO_BYTES) return readFileSync(path);
  } catch (error) {
    throw invalidLogo(path, `the file cannot be read: ${messageOf(error)}`);
  }
  throw invalidLogo(path, `the file has ${size} bytes: expected at most ${MAX_LOGO_BYTES}`);
}

function invalidLogo(path: string, reason: string): SettingError {
  return new SettingError(`BRAND_LOGO is "${path}": ${reason}.`);
}

/** Returns the type by the content, whatever the file is called; undefined for any other content. */
function typeOf(bytes: Buffer): Logo['type'] | undefined {
  const ascii = bytes.toString('latin1', 0, 16);
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'image/webp';
  const text = bytes.toString();
  const isSvg = SVG.test(text);
  return isSvg && Buffer.from(text).equals(bytes) ? 'image/svg+xml' : undefined;
}
