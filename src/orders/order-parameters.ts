import { pageParameters } from '../http/pages/pages.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { dayRange } from '../http/parameters/day-range.ts';
import {
  boolean,
  clearable,
  cursor,
  instant,
  int32,
  listOf,
  oneOf,
  type ParameterType,
  text,
  wholeNumber,
} from '../http/parameters/types.ts';
import { filters, sorts } from './list/sorts.ts';
import { exampleOrder } from './record/example-order.ts';
import { MAX_ORDER_ID, orderStatuses, refundTypes } from './record/order.ts';

const MAX_IDS = 100;
/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
const MAX_IDENTIFIER = 1000;
const MAX_FEES = 20;
const MAX_NAME = 100;
const MAX_NOTE = 500;
const MAX_URL = 2_000;
export const WEB_URL_PATTERN = '^https?://\\S+$';

export const orderId = {
  type: int32(1, MAX_ORDER_ID),
  description: 'The `order_id` of the order.',
  example: exampleOrder.order_id,
};

export const ORDER_IDS_PATTERN = `^ *\\d{1,10} *(, *\\d{1,10} *){0,${MAX_IDS - 1}}$`;

/** Not an array: generated clients cannot write one in a query. Numbers that are too large name no order. */
export const orderIds: ParameterType<number[]> = {
  expected: `1 to ${MAX_IDS} order IDs, separated by commas`,
  schema: { type: 'string', pattern: ORDER_IDS_PATTERN },
  read: ({ kind, text: sent }) => {
    if (kind === 'boolean' || !new RegExp(ORDER_IDS_PATTERN).test(sent)) return undefined;
    return sent.split(',').map(Number);
  },
};

const feeNames = listOf('names of fees', MAX_FEES, {
  schema: { type: 'string', minLength: 1, maxLength: MAX_NAME },
  read: (name) => (name !== '' && name.length <= MAX_NAME ? name : undefined),
});

export const listParameters = {
  filter: {
    type: oneOf(Object.keys(filters)),
    description: '`unfulfilled` lists orders to ship, `fulfilled` shipped ones, `refunded` refunded ones.',
    default: 'all',
    example: 'unfulfilled',
  },
  status: { type: oneOf(orderStatuses), description: 'Returns only orders with this status.' },
  order_ids: {
    type: orderIds,
    description: `Returns only these orders, at most ${MAX_IDS}.`,
    example: '4711,4712',
  },
  created_after: { type: instant, description: 'Returns only orders that were created later.' },
  product_identifier: {
    type: text(MAX_IDENTIFIER),
    description: 'Returns only orders of the product with this unique ID.',
  },
  paid_from: {
    ...dayRange.from,
    description: 'Returns only orders that were paid on this day or later, in the merchant’s time zone.',
  },
  paid_to: { ...dayRange.to, description: 'Returns only orders that were paid on this day or earlier.' },
  sort: {
    type: oneOf(Object.keys(sorts)),
    description:
      'The sort order. Orders without that time come last in descending order, and first in ascending order.',
    default: 'id_desc',
    example: 'fulfillment_due_date_asc',
  },
  ...pageParameters('orders'),
  after: {
    type: cursor,
    description:
      'The position after which the page begins, from the `Link` header of an earlier response. The other parameters ' +
      'have to be the same. `page` is only reported then.',
  },
  changed_since: {
    type: cursor,
    description:
      'Lists changes: `start` for everything, or the `cursor` of an earlier response. Can only be combined with `per_page`.',
    example: 'start',
  },
} as const;

/** An ID that the operator names in a path, where `.` and `..` have another meaning. */
export function idInPath(maximum: number): ParameterType<string> {
  const { expected, schema, read } = text(maximum);
  return {
    expected: `${expected} that are not all periods`,
    schema: { ...schema, pattern: '[^\\s.]' },
    read: (parameter) => (/[^\s.]/.test(parameter.text) ? read(parameter) : undefined),
  };
}

/** Of the longest default: a carrier, a colon and a tracking number, as the operator may state them. */
export const MAX_PACKAGE_ID = 511;
export const MAX_REFUND_ID = 100;

const packageId = {
  type: idInPath(MAX_PACKAGE_ID),
  description: 'The ID of the package.',
  example: exampleOrder.packages[0]?.package_id ?? '',
};
const reason = {
  type: text(MAX_NAME),
  required: true,
  description: 'Why: one of `metadata/refund_reasons`.',
  example: 'out_of_stock',
} as const;
/** What people write may name a customer. */
const note: ParameterType<string> = { ...text(MAX_NOTE), isPersonal: true };
const restock = {
  type: boolean,
  description:
    'Whether the units go back to the stock that the order has taken them from. By default, `cancel` returns them, and ' +
    '`refund` does not.',
};

const webUrl: ParameterType<string> = {
  expected: 'a URL that starts with https:// or http://',
  schema: { type: 'string', minLength: 1, maxLength: MAX_URL, pattern: WEB_URL_PATTERN },
  read: (parameter) => {
    const url = text(MAX_URL).read(parameter);
    return typeof url === 'string' && new RegExp(WEB_URL_PATTERN).test(url) ? url : undefined;
  },
};

/** The parameters of each call, apart from `order_id`. */
export const changeParameters = {
  acknowledge: {
    merchant_order_id: {
      type: text(MAX_NAME),
      description: 'The merchant’s own ID of the order.',
      example: 'SO-1182',
    },
  },
  annotate: {
    annotation: {
      ...clearable(note),
      description: 'A note for the merchant’s own use; null clears it.',
      example: 'Gift wrap',
    },
  },
  fulfill: {
    carrier: {
      type: text(MAX_NAME),
      required: true,
      description: 'The name or the code of a carrier of `metadata/carriers`, in any case; or `other`.',
      example: 'UPS',
    },
    carrier_name: {
      type: text(MAX_NAME),
      description: 'The name of the carrier, if `carrier` is `other`.',
    },
    tracking_number: {
      type: text(MAX_NAME),
      required: true,
      description: 'The tracking number of the package.',
      example: '1Z999AA10123456784',
    },
    service_type: { type: text(MAX_NAME), description: 'The service of the carrier.', example: 'Ground' },
    quantity: {
      type: wholeNumber(1),
      description: 'The units in the package; by default, all that are left.',
    },
    shipped_at: { type: instant, description: 'When the package was shipped; by default, now.' },
    package_id: {
      ...packageId,
      description:
        'The merchant’s own ID of the package; by default, the carrier and the tracking number. With the ID of a package ' +
        'that no carrier has scanned yet, the call corrects that package.',
    },
    tracking_url: { type: webUrl, description: 'Where the customer can follow the package.' },
  },
  unfulfill: { package_id: { ...packageId, required: true } },
  refund: {
    type: {
      type: oneOf(refundTypes),
      required: true,
      description: '`full` for all that is left, `partial` for the fees in `fees`.',
      example: 'full',
    },
    reason,
    fees: {
      type: feeNames,
      description: 'The fees of a partial refund: names of `available_refunds`.',
    },
    explanation: { type: note, description: 'More about the reason.' },
    refund_id: {
      type: idInPath(MAX_REFUND_ID),
      description:
        'The merchant’s own ID of the refund. A repeated call with the same ID refunds nothing more.',
    },
    quantity: {
      type: wholeNumber(1),
      description: 'The units that a partial refund is for; by default, all.',
    },
    restock: { ...restock, default: false },
  },
  cancel: {
    reason,
    restock: { ...restock, default: true },
  },
} as const;

/** The values of these parameters. */
export type Sent<Action extends keyof typeof changeParameters> = BoundParameters<
  (typeof changeParameters)[Action]
>;
