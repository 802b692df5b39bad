import type { Model } from './model.ts';
import { phpClient } from './php-client.ts';
import { phpEvents, phpRecord } from './php-types.ts';

/** Returns the generated files of the PHP client, by their paths. */
export function emitPhp(model: Model): Map<string, string> {
  const operator = 'A client of the operator API. Merchants are named by their external IDs.';
  return new Map([
    ['Client.php', phpClient('Client', 'A client of the merchant API.', model.merchant, model)],
    ['OperatorClient.php', phpClient('OperatorClient', operator, model.operator, model)],
    ['Records/Events.php', phpEvents(model)],
    ...model.records.map((record) => [`Records/${record.name}.php`, phpRecord(record, model)] as const),
  ]);
}
