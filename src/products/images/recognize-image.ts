/** Formats that every browser shows, and that are small enough for pages. */
const FORMATS: readonly { type: string; matches: (start: Buffer) => boolean }[] = [
  { type: 'image/png', matches: (start) => start.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', matches: (start) => start.toString('latin1', 0, 3) === '\xff\xd8\xff' },
  { type: 'image/gif', matches: (start) => /^GIF8[79]a$/.test(start.toString('latin1', 0, 6)) },
  { type: 'image/webp', matches: (start) => /^RIFF.{4}WEBP$/s.test(start.toString('latin1', 0, 12)) },
  { type: 'image/avif', matches: isAvif },
];
const SVG = 'image/svg+xml';
/** After a byte order mark, an XML declaration, comments and a document type. */
const SVG_START =
  /^\ufeff?\s*(?:(?:<\?[^>]*>|<!--(?:(?!-->).)*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)\s*)*<svg[\s>/]/is;
const MAX_TYPE_LENGTH = 100;

/** The box of the file type names its brands, of four characters each. */
function isAvif(start: Buffer): boolean {
  if (start.length < 16 || start.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = start.toString('latin1', 8, Math.min(start.readUInt32BE(0), start.length));
  return (brands.match(/.{4}/gs) ?? []).some((brand) => brand === 'avif' || brand === 'avis');
}

/** The beginning of a response. */
export interface Content {
  /** The `Content-Type`; '' if there is none. */
  contentType: string;
  /** Whether the bytes are compressed, although this was not asked for. */
  isEncoded: boolean;
  start: Uint8Array;
}

/**
 * Says why content is not an image, in words that follow “The image at …”; null if it is one. Browsers find
 * out the format themselves, except for SVG, which must be declared.
 */
export function problemOfContent({ contentType, isEncoded, start }: Content): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase().slice(0, MAX_TYPE_LENGTH) ?? '';
  const isKnown = type === SVG || FORMATS.some((format) => format.type === type);
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  if (isEncoded && isKnown && bytes.length > 0) return null;
  if (FORMATS.some(({ matches }) => matches(bytes))) return null;
  if (SVG_START.test(bytes.toString()))
    return type === SVG ? null : `is an SVG, and must be sent as ${SVG}${type && `, not ${type}`}.`;
  if (bytes.length === 0) return 'has no content.';
  if (isKnown) return `is sent as ${type}, but isn’t an image.`;
  if (type.startsWith('image/')) return `isn’t PNG, JPEG, GIF, WebP, AVIF, or SVG, but ${type}.`;
  return `isn’t an image${type && `: ${type}`}.`;
}
