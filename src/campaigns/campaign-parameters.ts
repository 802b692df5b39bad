import { amount, oneOf, type ParameterType, text } from '../http/parameters/types.ts';

/** Returns the parameters of a new campaign (specification, 4.2). `types` lists the allowed types, null for any. */
export function campaignParameters(types: string[] | null) {
  const type: ParameterType<string> = types === null ? text(100) : oneOf(types);
  return {
    name: { type: text(255), required: true },
    type: { type, required: true },
    daily_budget: { type: amount },
    bid_amount: { type: amount },
    daily_budget_per_product: { type: amount },
    lifetime_budget: { type: amount },
    lifetime_budget_per_product: { type: amount },
  } as const;
}
