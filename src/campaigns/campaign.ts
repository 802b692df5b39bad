/**
 * A campaign as the API shows it: its fields in wire order, amounts in the currency's major unit, for example dollars.
 */
export interface Campaign {
  name: string;
  type: string;
  daily_budget: number | null;
  bid_amount: number | null;
  status: string;
  daily_budget_per_product: number | null;
  lifetime_budget: number | null;
  lifetime_budget_per_product: number | null;
}
