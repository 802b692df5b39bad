import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { draft } from './catalog.ts';
import { fc } from './seed.ts';

/** With unusual offsets, or with clock changes at midnight, by half an hour, or by a whole day. */
export const unusualZones = [
  'UTC',
  'America/St_Johns',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Casablanca',
];

/** Schedules of these products and their variations S and M, with one of `ids` ids. */
export function schedulesAt(
  time: fc.Arbitrary<number>,
  products: readonly string[],
  ids: number,
): fc.Arbitrary<ScheduleDraft> {
  return fc
    .record({
      merchant: fc.constant(null),
      schedule_id: fc
        .tuple(fc.constantFrom('s ', 'é:', 'Z.', '日本-', '𐐀'), fc.nat(ids - 1))
        .map((parts) => parts.join('')),
      product_identifier: fc.constantFrom(...products),
      variation: fc.constantFrom(undefined, null, 'S', 'M'),
      scheduled_at: time,
      sold: fc.boolean(),
      sale_price: fc.oneof(fc.nat(1000), fc.constantFrom(0, 1, 10 ** 10)),
      rating: fc.option(fc.nat(500)),
      order_id: fc.constantFrom(undefined, undefined, null, 1, 4711, 2 ** 31 - 1),
    })
    .map(({ variation, ...one }) => ({
      ...one,
      variation_identifier: variation && `${one.product_identifier}-${variation}`,
      ...(!one.sold && { sale_price: null, rating: null }),
    }));
}

/** Schedules of `schedulesAt` can name it. */
export function scheduledProduct(identifier: string, fields: ProductDraft['fields'] = {}): ProductDraft {
  return draft(identifier, fields, [{ identifier: `${identifier}-S` }, { identifier: `${identifier}-M` }]);
}
