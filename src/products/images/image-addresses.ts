import { createHash } from 'node:crypto';
import type { Product } from '../record/product.ts';

/** Longer addresses are rare, and many servers refuse them. */
const MAX_URL_LENGTH = 2_000;
/** Of one product. Further images are not checked. */
export const MAX_IMAGES = 50;
/** Of one product, with blank ones and others that cannot be checked. Each is parsed. */
const MAX_STATED = 200;
/** Other ports could reach services that are not web servers. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  'https:': ['', '8443'],
  'http:': ['', '8080'],
};

export interface ImageAddress {
  url: string;
  /** 0 for the main image, otherwise the place among the further ones, from 1. */
  position: number;
}

/** Lists the addresses of a product's images that can be checked, each once. */
export function imageAddresses(product: Pick<Product, 'primary_image' | 'extra_images'>): ImageAddress[] {
  const stated = [product.primary_image ?? '', ...(product.extra_images ?? '').split('|', MAX_STATED)];
  const addresses = new Map<string, ImageAddress>();
  for (const [position, text] of stated.entries()) {
    const url = text.trim();
    if (addresses.size < MAX_IMAGES && !addresses.has(url) && isCheckable(url))
      addresses.set(url, { url, position });
  }
  return [...addresses.values()];
}

function isCheckable(text: string): boolean {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  return (
    url !== null &&
    (PORTS[url.protocol] ?? []).includes(url.port) &&
    url.username === '' &&
    url.password === ''
  );
}

/** A key of fixed length: an index cannot have the address itself. */
export function hashAddress(url: string): string {
  return createHash('sha256').update(url).digest('base64url').slice(0, 22);
}
