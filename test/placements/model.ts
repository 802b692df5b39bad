/** A campaign as the model keeps it. Amounts are in cents; null for no limit. */
export interface ModelCampaign {
  id: string;
  daily: number | null;
  dailyPerProduct: number | null;
  lifetime: number | null;
  lifetimePerProduct: number | null;
}

export interface ModelPlacement {
  id: string;
  campaign: string;
  product: string;
  day: string;
  state: 'reserved' | 'delivered' | 'released';
  price: number;
  expiresAt: number;
  late: boolean;
  isFact: boolean;
}

/** All placements in a list, added up anew for each question. Shares no code with the service. */
export class ModelLedger {
  readonly placements = new Map<string, ModelPlacement>();

  of(where: Partial<ModelPlacement>): ModelPlacement[] {
    return [...this.placements.values()].filter((each) =>
      Object.entries(where).every(([name, value]) => each[name as keyof ModelPlacement] === value),
    );
  }

  used(where: Partial<ModelPlacement>): number {
    return sum(this.of(where).filter(({ state }) => state !== 'released'));
  }

  spent(where: Partial<ModelPlacement>): number {
    return sum(this.of({ ...where, state: 'delivered' }));
  }

  /** The first budget that does not cover the price. */
  exceeded(
    campaign: ModelCampaign,
    { product, day, price }: Pick<ModelPlacement, 'product' | 'day' | 'price'>,
  ): string | undefined {
    const of = { campaign: campaign.id };
    const budgets: [string, number | null, number][] = [
      ['daily_budget', campaign.daily, this.used({ ...of, day })],
      ['daily_budget_per_product', campaign.dailyPerProduct, this.used({ ...of, product, day })],
      ['lifetime_budget', campaign.lifetime, this.used(of)],
      ['lifetime_budget_per_product', campaign.lifetimePerProduct, this.used({ ...of, product })],
    ];
    return budgets.find(([, budget, used]) => budget !== null && used + price > budget)?.[0];
  }
}

function sum(placements: readonly ModelPlacement[]): number {
  return placements.reduce((total, { price }) => total + price, 0);
}
