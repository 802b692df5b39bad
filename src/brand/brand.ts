/** How the pages and mails of a marketplace look. Null for what is not set. */
export interface Brand {
  name: string | null;
  logo: Logo | null;
  /** `#rrggbb` in lower case. */
  color: string | null;
  /** Where people get help: an `https:` or `mailto:` address. */
  support: string | null;
}

export interface Logo {
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml';
  bytes: Buffer;
}

/** What the pages and mails call a marketplace that has no name. */
export const PRODUCT_NAME = 'Tradepost';
