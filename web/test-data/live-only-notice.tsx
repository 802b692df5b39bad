import { Notice } from '../ui/notice.tsx';
import { useIsTestData } from './use-test-data.ts';

/** Says in test data that something is the same in both, such as “The team”, and so cannot be changed. */
export function LiveOnlyNotice({ what }: { what: string }) {
  if (!useIsTestData()) return null;
  return <Notice>{what} the same for live and test data. Leave test data to make changes.</Notice>;
}
