import type { Logo } from '../brand/brand.ts';
import { shadesOf } from '../brand/shades.ts';
import { escapeHtml } from '../shared/escape-html.ts';

/** Texts may contain any characters. */
export interface MailContent {
  subject: string;
  before: readonly string[];
  link: { label: string; url: string } | null;
  after: readonly string[];
}

/** Both forms say the same. */
export interface RenderedMail {
  /** One line. */
  subject: string;
  text: string;
  /** Nothing to load: images are parts of the mail. */
  html: string;
  image: MailImage | null;
}

/** How mails look, and whose they are. */
export interface MailBrand {
  /** Of the marketplace. */
  name: string;
  logo: Logo | null;
  /** Of links, as `#rrggbb`; null for the color of the mail program. */
  color: string | null;
}

/** A picture that is part of the mail. Its bytes can come from another thread. */
export interface MailImage {
  /** By which the HTML refers to it. */
  cid: string;
  type: Logo['type'];
  bytes: Uint8Array;
}

const LOGO_ID = 'logo';
const LOGO_HEIGHT = 40;

export function renderMail({ subject, before, link, after }: MailContent, brand: MailBrand): RenderedMail {
  const name = oneLine(brand.name);
  const last = [...after, `${name} sent this email automatically. Replies aren’t read.`];
  const text = [...before, ...(link === null ? [] : [link.url]), ...last].map(oneLine).join('\n\n');
  const image = imageOf(brand.logo);
  const header =
    image === null
      ? []
      : [`<p><img src="cid:${LOGO_ID}" alt="${escapeHtml(name)}" height="${LOGO_HEIGHT}"></p>`];
  const body = [
    ...header,
    ...before.map(paragraph),
    ...(link === null ? [] : [anchor(link, brand)]),
    ...last.map(paragraph),
  ].join('\n');
  return {
    subject: oneLine(subject),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${body}\n</body></html>\n`,
    image,
  };
}

/** Many mail programs show no SVG images. */
function imageOf(logo: Logo | null): MailImage | null {
  return logo === null || logo.type === 'image/svg+xml' ? null : { cid: LOGO_ID, ...logo };
}

/** With the color of the brand, a button. */
function anchor({ label, url }: { label: string; url: string }, { color }: MailBrand): string {
  const style = color === null ? '' : ` style="${buttonStyle(color)}"`;
  return `<p><a href="${escapeHtml(url)}"${style}>${escapeHtml(label)}</a></p>`;
}

function buttonStyle(color: string): string {
  const { 'accent-fill': fill, 'accent-on-fill': onFill } = shadesOf(color, 'light');
  return `display:inline-block;padding:10px 18px;border-radius:7px;background:${fill};color:${onFill};text-decoration:none`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(oneLine(text))}</p>`;
}

/** Replaces what could begin another header or line, change the direction of text, or is invisible. */
function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
}
