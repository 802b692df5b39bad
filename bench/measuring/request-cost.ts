import { type Load, type LoadResult, load } from './load.ts';

interface CpuConsumer {
  cpuSeconds(): number;
}

export interface RequestCost extends LoadResult {
  /** CPU time of the service's processes for one request, in milliseconds. */
  service: number;
  /** CPU time of the database server, likewise; 0 if the engine runs in the service. */
  database: number;
}

export async function measureCost(
  { service, database }: { service: CpuConsumer; database: CpuConsumer },
  options: Load,
): Promise<RequestCost> {
  const before = [service.cpuSeconds(), database.cpuSeconds()] as const;
  const result = await load(options);
  const requests = result.requestsPerSecond * options.seconds;
  const perRequest = (start: number, end: number): number => (1000 * (end - start)) / requests;
  return {
    ...result,
    service: perRequest(before[0], service.cpuSeconds()),
    database: perRequest(before[1], database.cpuSeconds()),
  };
}
