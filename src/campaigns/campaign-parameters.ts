import { amount, oneOf, type ParameterType, text } from '../http/parameters/types.ts';

/** What a campaign is created with (specification, 4.2); `types` are those that there may be, null for any. */
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
