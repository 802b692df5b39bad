/** The moderation of a product; `at` is RFC 3339, null for `ok`. */
export interface ModerationOf {
  state: string;
  at: string | null;
  messages: readonly string[];
}

export const notModerated: ModerationOf = { state: 'ok', at: null, messages: [] };

/**
 * A product with the fields that clients of the original API read, by the contract (orders, part A, 9).
 * Shares no code with the service.
 */
export function withOriginalFields(
  product: Record<string, unknown>,
  { state, at, messages }: ModerationOf,
): Record<string, unknown> {
  const images = [product.primary_image, ...String(product.extra_images ?? '').split('|')]
    .map((image) => String(image ?? '').trim())
    .filter((image) => /^https?:\/\/[^\s/?#|]/i.test(image));
  const upsells: object[] = [];
  if (typeof product.buy_one_get_one_price === 'number') {
    const amount = product.buy_one_get_one_price;
    upsells.push({ type_description: 'buy_one_get_one', amount, description: null });
  }
  if (typeof product.accessory_price === 'number') {
    const { accessory_price: amount, accessory_description: description } = product;
    upsells.push({ type_description: 'accessory', amount, description });
  }
  return {
    ...product,
    starting_bid: product.minimum_bid_amount,
    success_fee_bid: product.scheduling_fee_bid,
    success_fee_bid_enabled: typeof product.scheduling_fee_bid === 'number',
    slug: null,
    all_images: images.map((image) => ({
      square: image,
      thumbnail: image,
      medium: image,
      large: image,
      original: image,
    })),
    upsells,
    admin_banned_at: state === 'banned' ? at : null,
    admin_hold_at: state === 'problematic' ? at : null,
    admin_reason: messages.length > 0 ? messages.join(' ') : null,
  };
}
