import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconUserPlus } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAllows } from '../session.ts';
import { ChangeOperatorRole } from './change-operator-role.tsx';
import { InviteOperator } from './invite-operator.tsx';
import { type OperatorAction, OperatorsTable } from './operators-table.tsx';
import { type Operator, operatorsQuery } from './queries.ts';
import { RemoveOperator } from './remove-operator.tsx';
import { ResetOperator } from './reset-operator.tsx';

type OpenDialog = { kind: 'invite' } | { kind: OperatorAction; operator: Operator };

export function Page() {
  const list = useQuery(operatorsQuery);
  const isAdmin = useAllows('admin');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const invite = (
    <Button leftSection={<IconUserPlus size={17} />} onClick={() => setDialog({ kind: 'invite' })}>
      Invite operator
    </Button>
  );
  return (
    <>
      <PageHeader lead="Who runs this marketplace, and what they can do." actions={isAdmin && invite} />
      <Panel flush>
        <Loaded query={list} skeleton={3}>
          {({ operators }) => (
            <OperatorsTable
              operators={operators}
              onAction={(kind, operator) => setDialog({ kind, operator })}
            />
          )}
        </Loaded>
      </Panel>
      {dialog?.kind === 'invite' && <InviteOperator onClose={close} />}
      {dialog?.kind === 'role' && <ChangeOperatorRole operator={dialog.operator} onClose={close} />}
      {dialog?.kind === 'reset' && <ResetOperator operator={dialog.operator} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveOperator operator={dialog.operator} onClose={close} />}
    </>
  );
}
