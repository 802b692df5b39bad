import type { ResponseOf } from '../../clients/typescript/src/operations.ts';
import type { OrderStatus, PackageState } from '../../src/orders/record/order.ts';
import type { Tone } from '../ui/tone.ts';

/** An order as the API returns it. */
export type Order = ResponseOf<'retrieveOrder'>;

interface StatusText {
  label: string;
  tone: Tone;
  /** What the status means, and what the merchant can do. */
  meaning: string;
}

export const statusTexts: Record<OrderStatus, StatusText> = {
  unpaid: { label: 'Unpaid', tone: 'quiet', meaning: 'The customer hasn’t paid yet. Don’t ship it.' },
  processing_payment: {
    label: 'Payment pending',
    tone: 'quiet',
    meaning: 'The payment is being processed. Don’t ship it yet.',
  },
  pending_verification: {
    label: 'On hold',
    tone: 'warn',
    meaning: 'Your marketplace is checking this order. Don’t ship it until it is released.',
  },
  pending_consolidation_decision: {
    label: 'Not decided',
    tone: 'quiet',
    meaning: 'The customer may combine this order with others. Don’t ship it yet.',
  },
  paid: { label: 'To ship', tone: 'accent', meaning: 'Paid and ready to ship.' },
  shipped: { label: 'Shipped', tone: 'good', meaning: 'All units have been shipped.' },
  refunded: { label: 'Refunded', tone: 'quiet', meaning: 'The whole order was refunded.' },
  canceled: { label: 'Canceled', tone: 'quiet', meaning: 'The order was canceled before it was shipped.' },
};

export const packageTexts: Record<PackageState, { label: string; tone: Tone }> = {
  shipped: { label: 'Shipped', tone: 'quiet' },
  accepted: { label: 'With the carrier', tone: 'accent' },
  in_transit: { label: 'In transit', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'good' },
  untrackable: { label: 'Can’t be tracked', tone: 'bad' },
};

const progress: readonly PackageState[] = ['untrackable', 'shipped', 'accepted', 'in_transit', 'delivered'];

/** The state of the package that is least far along. */
export function deliveryOf({ packages }: Pick<Order, 'packages'>): PackageState {
  const states = packages.map(({ state }) => state);
  return progress.find((state) => states.includes(state)) ?? 'shipped';
}

/** The number of units that are not in a package yet. */
export function unitsLeft({ product_quantity: all, shipped_quantity: shipped }: Order): number {
  return all - shipped;
}

/** What can still be refunded. */
export function amountLeft({ available_refunds: fees }: Order): number {
  return Object.values(fees).reduce((sum, amount) => sum + amount, 0);
}

/** What was sold, as people know it. */
export function skuOf({ variation_identifier: variation, product_identifier: product }: Order): string {
  return variation ?? product;
}

/** Where the order goes, without the address: “CA, USA”. */
export function destinationOf({ state, country }: Pick<Order, 'state' | 'country'>): string | null {
  const parts = [state, country].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** Returns a name of the API, such as `buyer_fee`, as people read it. */
export function inWords(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
