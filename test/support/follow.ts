import assert from 'node:assert/strict';
import type { Product } from '../../src/products/record/product.ts';
import type { ClientResponse } from './client.ts';
import type { TestMerchant, TestService } from './service.ts';

/** A copy of a catalog that is kept only by `changed_since`. */
export class Mirror {
  readonly products = new Map<number, Product>();
  readonly #service: TestService;
  readonly #merchant: TestMerchant;
  cursor = 'start';

  constructor(service: TestService, merchant: TestMerchant) {
    this.#service = service;
    this.#merchant = merchant;
  }

  /** Reads all changes since the last call, from any service. Resolves to the products of each page. */
  async follow(perPage: number, service = this.#service): Promise<Product[][]> {
    const pages: Product[][] = [];
    for (;;) {
      const query = { changed_since: this.cursor, per_page: String(perPage) };
      const response = await service.get('/products', this.#merchant, query);
      assert.equal(response.status, 200, response.text);
      const { results, cursor, more } = response.json<{
        results: Product[];
        cursor: string;
        more: boolean;
      }>();
      for (const product of results) this.products.set(product.internal_id, product);
      pages.push(results);
      this.cursor = cursor;
      if (!more) return pages;
    }
  }

  /** Returns the copy in the order of an export. */
  inOrder(): Product[] {
    return [...this.products.values()].sort((one, other) => one.internal_id - other.internal_id);
  }
}

/** The target of a link; undefined if there is none with this relation. */
export function linkOf(response: ClientResponse, relation: string): string | undefined {
  const link = response.headers.link ?? '';
  return new RegExp(`<([^>]*)>; rel="${relation}"`).exec(String(link))?.[1];
}
