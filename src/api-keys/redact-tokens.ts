/** A text that starts like a token, or has a generated token inside it, such as `key_tp_…`. */
const GENERATED = String.raw`\btp[to]?_\w+|tp[to]?_[0-9A-Za-z]{16,}`;
/** Texts of other lengths cannot be tokens; replacing a short one would garble other text. */
const MIN_LENGTH = 16;
const MAX_LENGTH = 255;

/**
 * Replaces tokens in a text: whatever looks like a generated token, and `tokens`, which may be imported ones
 * of any form, also percent-encoded or escaped for JSON.
 */
export function tokenRedactor(tokens: readonly string[]): (text: string) => string {
  const literals = tokens
    .filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH)
    .flatMap((token) => [
      token,
      encodeURIComponent(token.toWellFormed()),
      JSON.stringify(token).slice(1, -1),
    ]);
  const pattern = new RegExp([...new Set(literals).values().map(RegExp.escape), GENERATED].join('|'), 'gi');
  return (text) => text.replace(pattern, '(token)');
}
