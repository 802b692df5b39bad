import type { Success } from '../../http/endpoint/declaration.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { record, type Schema } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import {
  type ListedOrderRecord,
  listedOrderFields,
} from '../../orders/of-all/list-orders-of-all-merchants.ts';
import { exampleOrder } from '../../orders/record/example-order.ts';
import type { OrderRecord } from '../../orders/record/order-record.ts';
import { orderSchema } from '../../orders/record/order-schema.ts';
import { pick } from '../../shared/pick.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';
import { currencySchema } from '../products/product-list-schema.ts';

export interface ListedOrder extends ListedOrderRecord {
  merchant: NamedMerchant;
  currency: string;
}

export interface MerchantOrderPage {
  results: ListedOrder[];
  next: string | null;
}

const listedOrderSchema = record<ListedOrder>(
  'ListedOrder',
  'An order of a merchant, without anything of its customer.',
  { merchant: namedMerchantSchema, currency: currencySchema, ...listedProperties() },
);

function listedProperties(): Record<keyof ListedOrderRecord, Schema> {
  const { properties = {} } = orderSchema;
  return pick(properties as Record<keyof OrderRecord, Schema>, listedOrderFields);
}

export function listedOrder(
  owner: Pick<ListedOrder, 'merchant' | 'currency'>,
  order: ListedOrderRecord,
): ListedOrder {
  return { ...owner, ...order };
}

const example = listedOrder(
  { merchant: exampleNamedMerchant, currency: 'EUR' },
  pick(exampleOrder, listedOrderFields),
);

export const orderPage: Success = {
  description: 'A page of orders.',
  schema: record<MerchantOrderPage>('MerchantOrderPage', 'Orders of all merchants.', {
    results: { type: 'array', items: listedOrderSchema },
    next: nextSchema,
  }),
  examples: {
    page: { summary: 'The last page', value: { results: [example], next: null } satisfies MerchantOrderPage },
  },
  isPrivate: true,
};
