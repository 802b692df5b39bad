import type { FastifyInstance } from 'fastify';
import type { ProductDraft } from '../products/record/product-draft.ts';
import { departments } from './assortment.ts';

const tones = [
  ['#e3eef0', '#15505d'],
  ['#f6e9dc', '#8a4516'],
  ['#e8ecdc', '#4b5a1f'],
  ['#ece6f0', '#553a68'],
  ['#e9e7e2', '#474034'],
] as const;

const all = Object.values(departments).flat();

function draw(outline: string, number: number): string {
  const [background, line] = tones[number % tones.length] ?? tones[0];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="256" height="256"><path fill="${background}" d="M0 0h64v64H0z"/><path d="${outline}" fill="none" stroke="${line}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}

export function imageRoutes(app: FastifyInstance): void {
  app.get('/demo/:department/:image', (request, reply) => {
    const { department, image } = request.params as { department: string; image: string };
    const outline = all[Number(department)]?.outline;
    const number = /^(\d{1,3})\.svg$/.exec(image)?.[1];
    if (outline === undefined || number === undefined)
      return reply.code(404).send({ message: 'There is no such image.' });
    return reply
      .header('cache-control', 'public, max-age=86400')
      .type('image/svg+xml')
      .send(draw(outline, Number(number)));
  });
}

/** Adds images that `imageRoutes` serves at `origin`. */
export function withImages(product: ProductDraft, origin: string): ProductDraft {
  const index = all.findIndex(({ category }) => category === product.fields.category);
  const url = (offset: number): string | null =>
    index < 0 ? null : `${origin}/demo/${index}/${(product.identifier.length + offset) % tones.length}.svg`;
  const extra = product.fields.extra_images === null ? null : `${url(1)}|${url(2)}`;
  const fields = { primary_image: url(0), extra_images: index < 0 ? null : extra };
  return { ...product, fields: { ...product.fields, ...fields } };
}
