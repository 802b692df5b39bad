import { type Load, type LoadResult, load } from './load.ts';

/** A group of processes whose CPU time is measured, such as a server or a database engine. */
interface CpuConsumer {
  /** Returns the CPU time that its processes have used, in seconds. */
  cpuSeconds(): number;
}

/** The result of a load, and the CPU time that it took. */
export interface RequestCost extends LoadResult {
  /** The CPU time of all processes of the service for one request, in milliseconds. */
  service: number;
  /** The CPU time of the database server for one request, in milliseconds; 0 if the engine runs in the service. */
  database: number;
}

/** Puts a load on a service, and measures the CPU time that one request takes. */
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
