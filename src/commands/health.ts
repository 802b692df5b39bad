import { Command } from 'commander';
import { get } from '../doctor/listener.ts';
import { CommandError, type Context, readConfig } from './context.ts';

/** For health checks of containers, which have no other HTTP client. */
export function healthCommand(context: Context): Command {
  return new Command('health')
    .description('check that the service on this machine responds at METRICS_ADDRESS')
    .action(async () => {
      const { metrics } = readConfig(context);
      if (metrics === null)
        throw new CommandError('METRICS_ADDRESS is off, so the service serves no health.');
      const response = await get(metrics, '/healthz', { tls: false });
      if (response?.text !== 'alive\n')
        throw new CommandError(`No Tradepost responds at ${metrics.host}:${metrics.port} (METRICS_ADDRESS).`);
      context.print('The service responds.');
    });
}
