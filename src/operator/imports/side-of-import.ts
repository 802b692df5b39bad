import { testSideOf } from '../../database/sides.ts';
import type { ImportKey } from '../../imports/import-files.ts';
import type { Imports } from '../../imports/imports.ts';

/** Returns the key of a merchant's import, which may be on the test side. `live` is the merchant's ID. */
export async function sideOfImport(imports: Imports, live: number, id: string): Promise<ImportKey> {
  const isOfTestSide = (await imports.find({ merchantId: testSideOf(live), id })) !== undefined;
  return { merchantId: isOfTestSide ? testSideOf(live) : live, id };
}
