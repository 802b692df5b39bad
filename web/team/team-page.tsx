import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '../../src/console/console-api.ts';
import { useAllows } from '../session/role.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { IconUserPlus } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { ChangeRole } from './change-role.tsx';
import { InviteMember } from './invite-member.tsx';
import { teamQuery } from './queries.ts';
import { RemoveMember } from './remove-member.tsx';
import { RequireTwoFactor } from './require-two-factor.tsx';
import { ResendInvitation } from './resend-invitation.tsx';
import styles from './team.module.css';
import { type MemberAction, TeamTable } from './team-table.tsx';

type OpenDialog = { kind: 'invite' } | { kind: MemberAction; member: TeamMember };

export function Page() {
  const { data, error, refetch } = useQuery(teamQuery);
  const isOwner = useAllows('owner');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const invite = (
    <Button
      leftSection={<IconUserPlus size={17} aria-hidden="true" />}
      onClick={() => setDialog({ kind: 'invite' })}
    >
      Invite user
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Team"
        lead="Manage who has access and what they can do."
        actions={isOwner && invite}
      />
      <RoleNotice least="owner" action="invite, change, and remove users" />
      <div className={styles.parts}>
        <Panel flush>
          {data !== undefined ? (
            <TeamTable members={data.members} onAction={(kind, member) => setDialog({ kind, member })} />
          ) : error !== null ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <TableSkeleton rows={3} />
          )}
        </Panel>
        {data !== undefined && <RequireTwoFactor team={data} />}
      </div>
      {dialog?.kind === 'invite' && <InviteMember onClose={close} />}
      {dialog?.kind === 'role' && <ChangeRole member={dialog.member} onClose={close} />}
      {dialog?.kind === 'resend' && <ResendInvitation member={dialog.member} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveMember member={dialog.member} onClose={close} />}
    </>
  );
}
