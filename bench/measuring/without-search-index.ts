// For `--import`: writes leave the search index alone.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/src/products/search-index/index-products.ts')
      ? {
          format: 'module',
          shortCircuit: true,
          source: 'export async function indexProducts() {}\nexport async function indexFacets() {}\n',
        }
      : nextLoad(url, context),
});
