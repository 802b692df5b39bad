import { compile } from 'html-to-text';

/** Far deeper than descriptions nest: what lies deeper is left out, so that no input exhausts the stack. */
const MAX_DEPTH = 200;

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'tr', format: 'block' },
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
  ],
});

/** The most HTML that is read: the parser's time grows with the square of the nesting, to half a second here. */
export const MAX_HTML = 300_000;

/**
 * HTML as plain text: entities decoded, paragraphs and list items on lines of their own, links by their
 * text, pictures left out, nothing wrapped.
 */
export function htmlToText(html: string): string {
  return convert(html)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
