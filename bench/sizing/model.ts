/** Counted separately, because their costs differ. */
export const callKinds = ['known page', 'new page', 'variation', 'campaign', 'monthly sales'] as const;

export type CallKind = (typeof callKinds)[number];

/** Of one engine. CPU time is in milliseconds. */
export interface Costs {
  calls: Record<CallKind, { service: number; database: number }>;
  /** For one row, of all processes. */
  importedRow: number;
  /** Of a product with its variations, sales and index entries, and of a database without merchants. */
  bytesPerProduct: number;
  emptyBytes: number;
}

export interface Workload {
  merchants: number;
  productsPerMerchant: number;
  callsPerSecond: number;
  /** Shares, which add up to 1. */
  mix: Record<CallKind, number>;
  importedRowsPerSecond: number;
}

export interface Needs {
  /** CPU time per second, in cores; imports count for the service. */
  service: number;
  database: number;
  bytes: number;
}

export function predict(costs: Costs, workload: Workload): Needs {
  const perCall = (part: 'service' | 'database'): number =>
    callKinds.reduce((sum, kind) => sum + workload.mix[kind] * costs.calls[kind][part], 0);
  const calls = workload.callsPerSecond / 1000;
  return {
    service: calls * perCall('service') + (workload.importedRowsPerSecond * costs.importedRow) / 1000,
    database: calls * perCall('database'),
    bytes: costs.emptyBytes + workload.merchants * workload.productsPerMerchant * costs.bytesPerProduct,
  };
}

const SECONDS_PER_DAY = 24 * 60 * 60;

export interface Assumptions {
  productsPerMerchant: number;
  callsPerDay: number;
  mix: Workload['mix'];
  importedRowsPerDay: number;
  /** The busiest minutes relative to the average. */
  peakFactor: number;
  /** The share of a core that calls should use at the peak, so that response times stay short. */
  utilization: number;
}

export const assumptions: Assumptions = {
  productsPerMerchant: 2_000,
  callsPerDay: 5_000,
  mix: { 'known page': 0.25, 'new page': 0.35, variation: 0.3, campaign: 0.05, 'monthly sales': 0.05 },
  importedRowsPerDay: 2_000,
  peakFactor: 5,
  utilization: 0.5,
};

export function peakOf(merchants: number, assumed: Assumptions): Workload {
  const perSecond = (perDay: number): number => (merchants * perDay * assumed.peakFactor) / SECONDS_PER_DAY;
  return {
    merchants,
    productsPerMerchant: assumed.productsPerMerchant,
    callsPerSecond: perSecond(assumed.callsPerDay),
    mix: assumed.mix,
    importedRowsPerSecond: perSecond(assumed.importedRowsPerDay),
  };
}

export const CORES_PER_MACHINE = 8;

export function coresFor(need: number, { utilization }: Assumptions): number {
  return need / utilization;
}
