import { Activity } from '../../keys/activity.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function Page() {
  return (
    <>
      <PageHeader lead="What operators and operator keys did." />
      <Activity empty="Changes to operators, keys, lists, and merchants appear here." />
    </>
  );
}
