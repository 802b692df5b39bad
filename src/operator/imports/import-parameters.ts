import { text } from '../../http/parameters/types.ts';
import { finishedImport } from '../../imports/import-schema.ts';
import { merchantInPath } from '../merchants/merchant-parameters.ts';

const MAX_ID_LENGTH = 100;

export const importInPath = {
  ...merchantInPath,
  import_id: { type: text(MAX_ID_LENGTH), description: 'The ID of the import.', example: finishedImport.id },
};
