import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { departments } from '../../src/demo/assortment.ts';
import { generateProduct } from '../../src/demo/generate-products.ts';
import { imageRoutes, withImages } from '../../src/demo/images.ts';
import { Random } from '../../src/demo/random.ts';

describe('the images of the demo', () => {
  it('exist for every product with a category, and show the outline of its department', async () => {
    const app = Fastify();
    imageRoutes(app);
    const random = new Random(7);
    const shown = new Set<string>();
    for (let number = 1; number <= 300; number += 1) {
      const shop = random.pick(['home', 'outdoors', 'jewelry'] as const);
      const product = withImages(
        generateProduct(number, { created: 0, latest: 0 }, departments[shop], random),
        'https://demo.example',
      );
      const { category, primary_image: primary, extra_images: extra } = product.fields;
      assert.equal(primary === null, category === null);
      for (const address of [primary, ...(extra?.split('|') ?? [])].filter((one) => one !== null)) {
        const { origin, pathname } = new URL(address ?? '');
        assert.equal(origin, 'https://demo.example');
        const response = await app.inject({ url: pathname });
        assert.equal(response.headers['content-type'], 'image/svg+xml');
        const outline = departments[shop].find((department) => department.category === category)?.outline;
        assert.ok(response.body.includes(`d="${outline}"`), `${category} at ${address}`);
        shown.add(response.body);
      }
    }
    assert.equal(shown.size, 5 * Object.values(departments).flat().length);
  });

  it('404: unknown images', async () => {
    const app = Fastify();
    imageRoutes(app);
    for (const url of [
      '/demo/99/1.svg',
      '/demo/x/1.svg',
      '/demo/1/1',
      '/demo/1/-1.svg',
      '/demo/length/1.svg',
    ])
      assert.equal((await app.inject({ url })).statusCode, 404, url);
  });
});
