import { hash } from 'node:crypto';
import { type Brand, type Logo, PRODUCT_NAME } from '../../brand/brand.ts';
import { colorStylesheet, logoStylesheet } from '../../brand/stylesheet.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { PageFile, PageFiles } from './files.ts';

/** The product's name where the build writes it: alone in an element or attribute, or after a title. */
const NAME = /(?<=[>"]|· )Tradepost(?=[<"]| Operator<| needs JavaScript)/g;
const ICON = /<link rel="icon"[^>]*>/;
/** Also for someone who opens the logo alone, where an SVG image could run scripts. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const logoTypes: Readonly<Record<Logo['type'], { extension: string; type: string }>> = {
  'image/png': { extension: 'png', type: 'image/png' },
  'image/jpeg': { extension: 'jpg', type: 'image/jpeg' },
  'image/webp': { extension: 'webp', type: 'image/webp' },
  'image/svg+xml': { extension: 'svg', type: 'image/svg+xml; charset=utf-8' },
};

/** Of an application. */
interface BrandOptions {
  brand: Brand;
  base: `/${string}`;
  /** Whether it has the color of the brand. */
  isColored: boolean;
}

/**
 * The files of an application, in whose pages the marketplace has its name, logo and color. The pages have
 * all of it before any script runs, and name files that browsers can keep.
 */
export class BrandedFiles {
  readonly #files: PageFiles;
  readonly #head: string;
  readonly #icon: string | undefined;
  #named: { name: string; files: PageFiles };

  constructor(files: PageFiles, { brand: { logo, color, support }, base, isColored }: BrandOptions) {
    const image = logo === null ? undefined : logoFile(logo);
    const styles = [
      ...(isColored && color !== null ? [colorStylesheet(color)] : []),
      ...(image === undefined ? [] : [logoStylesheet(`${base}/${image.path}`)]),
    ].join('');
    const stylesheet = styles === '' || files.size === 0 ? undefined : styleFile(styles);
    const added = [image, stylesheet].filter((file) => file !== undefined);
    this.#files = new Map([...files, ...added.map(({ path, file }) => [path, file] as const)]);
    this.#head = [
      ...(stylesheet === undefined ? [] : [`<link rel="stylesheet" href="${base}/${stylesheet.path}">`]),
      ...(support === null ? [] : [`<meta name="support" content="${escapeHtml(support)}">`]),
    ].join('');
    this.#icon = image && `<link rel="icon" href="${base}/${image.path}">`;
    this.#named = { name: PRODUCT_NAME, files: this.#brandAll(PRODUCT_NAME) };
  }

  /** Returns the files for a name of the marketplace. Keeps them until it is called with another name. */
  get(name: string): PageFiles {
    if (this.#named.name !== name) this.#named = { name, files: this.#brandAll(name) };
    return this.#named.files;
  }

  #brandAll(name: string): PageFiles {
    if (name === PRODUCT_NAME && this.#head === '') return this.#files;
    return new Map(
      [...this.#files].map(([path, file]) => [
        path,
        path.endsWith('.html') ? this.#brandPage(file, name) : file,
      ]),
    );
  }

  #brandPage({ type, body, immutable }: PageFile, name: string): PageFile {
    const html = body
      .toString()
      .replaceAll(NAME, () => escapeHtml(name))
      .replace('</head>', () => `${this.#head}</head>`)
      .replace(ICON, (icon) => this.#icon ?? icon);
    return { type, body: new RenderedJson(Buffer.from(html)), brotli: undefined, immutable };
  }
}

function logoFile({ type, bytes }: Logo): { path: string; file: PageFile } {
  const { extension, type: contentType } = logoTypes[type];
  return immutableFile(`logo`, extension, bytes, {
    type: contentType,
    headers: { 'content-security-policy': LOGO_POLICY },
  });
}

function styleFile(styles: string): { path: string; file: PageFile } {
  return immutableFile('brand', 'css', Buffer.from(styles), { type: 'text/css; charset=utf-8' });
}

function immutableFile(
  name: string,
  extension: string,
  bytes: Buffer,
  further: Pick<PageFile, 'type' | 'headers'>,
): { path: string; file: PageFile } {
  const path = `assets/${name}-${hash('sha1', bytes, 'hex').slice(0, 12)}.${extension}`;
  return { path, file: { ...further, body: new RenderedJson(bytes), brotli: undefined, immutable: true } };
}
