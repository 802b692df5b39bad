import type { Model } from './model.ts';
import { pythonClient } from './python-client.ts';
import { pythonParameters, pythonRecords } from './python-types.ts';
import { HEADER } from './text.ts';

/** Returns the generated files of the Python client, by their paths. */
export function emitPython(model: Model): Map<string, string> {
  return new Map([
    ['__init__.py', `"""${HEADER}"""\n`],
    ['records.py', pythonRecords(model)],
    ['parameters.py', pythonParameters(model)],
    ['merchant.py', pythonClient('Client', 'A client of the merchant API.', model.merchant, model)],
    [
      'operator.py',
      pythonClient(
        'OperatorClient',
        'A client of the operator API. Merchants are named by their external IDs.',
        model.operator,
        model,
      ),
    ],
  ]);
}
