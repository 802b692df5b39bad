import type { OperatorCallOptions } from './operator-caller.ts';
import { OperatorIntegrations } from './operator-integrations.ts';
import type {
  BackupFile,
  MarketplaceSettings,
  OperatorParametersOf,
  System,
  SystemMetrics,
} from './operator-operations.ts';

/** The service itself, and the settings of the marketplace. */
export class OperatorSystem extends OperatorIntegrations {
  /** Returns the version, processes, findings, certificate, backups and settings of the service. */
  retrieveSystem(options: OperatorCallOptions = {}): Promise<System> {
    return this.caller.call('retrieveSystem', {}, {}, options);
  }

  /** Returns what each process measured in the last 24 hours, by five minutes. */
  retrieveSystemMetrics(options: OperatorCallOptions = {}): Promise<SystemMetrics> {
    return this.caller.call('retrieveSystemMetrics', {}, {}, options);
  }

  /** Writes a backup of the SQLite database, and returns when it is complete and checked. */
  backUp(options: OperatorCallOptions = {}): Promise<BackupFile> {
    return this.caller.call('backUp', {}, {}, options);
  }

  /** Returns what the marketplace is called, and what new merchants start with. */
  retrieveMarketplace(options: OperatorCallOptions = {}): Promise<MarketplaceSettings> {
    return this.caller.call('retrieveMarketplace', {}, {}, options);
  }

  /** Changes the given settings of the marketplace. */
  putMarketplace(
    parameters: OperatorParametersOf<'putMarketplace'>,
    options: OperatorCallOptions = {},
  ): Promise<MarketplaceSettings> {
    return this.caller.call('putMarketplace', {}, parameters, options);
  }
}
