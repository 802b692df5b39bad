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
  /** Nothing to load, such as images. */
  html: string;
}

const FOOTER = 'Tradepost sent this email automatically. Replies aren’t read.';
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function renderMail({ subject, before, link, after }: MailContent): RenderedMail {
  const last = [...after, FOOTER];
  const text = [...before, ...(link === null ? [] : [link.url]), ...last].map(oneLine).join('\n\n');
  const anchor =
    link === null ? [] : [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`];
  const body = [...before.map(paragraph), ...anchor, ...last.map(paragraph)].join('\n');
  return {
    subject: oneLine(subject),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${body}\n</body></html>\n`,
  };
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(oneLine(text))}</p>`;
}

/** Replaces what could begin another header or line, change the direction of text, or is invisible. */
function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
