import { Activity } from '../../keys/activity.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function Page() {
  return (
    <>
      <PageHeader lead="Sign-ins, and changes of operators, operator keys and lists. What was done to a merchant is in the activity of its console." />
      <Activity empty="Sign-ins, and changes of operators, operator keys and lists appear here." />
    </>
  );
}
