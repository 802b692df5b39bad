import { trust } from './connection.ts';
import { measureKind } from './measure.ts';
import { RemoteError, readOptions, USAGE } from './options.ts';
import { describePlan, describeResults } from './report.ts';
import { type RequestKind, requestKinds } from './requests.ts';
import { survey } from './survey.ts';

/** Measures a running service with reads only. Resolves to the exit status. */
export async function remote(commandLine: readonly string[]): Promise<number> {
  try {
    const options = readOptions(commandLine);
    const found = await survey(options, trust(options.ca));
    const catalogs = found.catalogs.filter(({ pages }) => pages > 0);
    if (catalogs.length === 0) throw new RemoteError('The tokens belong to merchants without products.');
    process.stdout.write(`${describePlan(options, { ...found, catalogs })}\n`);
    const results = [];
    const hasVariations = catalogs.some(({ variations }) => variations.length > 0);
    for (const kind of Object.keys(requestKinds) as RequestKind[]) {
      if (kind === 'variation' && !hasVariations) {
        process.stdout.write(
          'The products on the sampled pages have no variations, so none are retrieved.\n',
        );
        continue;
      }
      const result = await measureKind(kind, catalogs, options);
      if (kind === 'new page' && result.seconds < options.seconds) {
        process.stdout.write(
          `new page: all pages in all orders were requested once after ${result.seconds.toFixed(1)} s.\n`,
        );
      }
      results.push(result);
    }
    process.stdout.write(`${describeResults(results)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 1;
  }
}
