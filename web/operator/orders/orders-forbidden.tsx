import { EmptyState } from '../../ui/empty-state.tsx';
import { IconLock } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';

/** What a viewer sees instead of orders. */
export function OrdersForbidden() {
  return (
    <>
      <PageHeader />
      <Panel>
        <EmptyState
          Icon={IconLock}
          title="Orders are for admins and support"
          description="Orders have the data of customers. An admin can give you another role."
        />
      </Panel>
    </>
  );
}
