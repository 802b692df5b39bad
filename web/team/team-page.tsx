import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '../../src/console/console-api.ts';
import { LiveOnlyNotice } from '../test-data/live-only-notice.tsx';
import { useMayChangeShop } from '../test-data/use-test-data.ts';
import { IconUserPlus } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ChangeRole } from './change-role.tsx';
import { InviteMember } from './invite-member.tsx';
import { teamQuery } from './queries.ts';
import { RemoveMember } from './remove-member.tsx';
import { RequireTwoFactor } from './require-two-factor.tsx';
import { ResendInvitation } from './resend-invitation.tsx';
import { type MemberAction, TeamTable } from './team-table.tsx';

type OpenDialog = { kind: 'invite' } | { kind: MemberAction; member: TeamMember };

export function Page() {
  const team = useQuery(teamQuery);
  const canChange = useMayChangeShop();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const invite = (
    <Button leftSection={<IconUserPlus size={17} />} onClick={() => setDialog({ kind: 'invite' })}>
      Invite user
    </Button>
  );
  return (
    <>
      <PageHeader lead="Manage who has access and what they can do." actions={canChange && invite} />
      <RoleNotice least="owner" action="invite, change, and remove users" />
      <LiveOnlyNotice what="The team is" />
      <div className="parts">
        <Panel flush>
          <Loaded query={team} skeleton={3}>
            {({ members }) => (
              <TeamTable members={members} onAction={(kind, member) => setDialog({ kind, member })} />
            )}
          </Loaded>
        </Panel>
        {team.data !== undefined && <RequireTwoFactor team={team.data} />}
      </div>
      {dialog?.kind === 'invite' && <InviteMember onClose={close} />}
      {dialog?.kind === 'role' && <ChangeRole member={dialog.member} onClose={close} />}
      {dialog?.kind === 'resend' && <ResendInvitation member={dialog.member} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveMember member={dialog.member} onClose={close} />}
    </>
  );
}
