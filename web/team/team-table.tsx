import { Button } from '@mantine/core';
import type { TeamMember } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { roleLabel, useAllows } from '../session/role.ts';
import { Chip } from '../ui/chip.tsx';
import styles from './team.module.css';

/** What an owner can do with another user. */
export type MemberAction = 'role' | 'resend' | 'remove';

interface Props {
  members: TeamMember[];
  onAction: (action: MemberAction, member: TeamMember) => void;
}

export function TeamTable({ members, onAction }: Props) {
  const isOwner = useAllows('owner');
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Role</th>
            <th scope="col">Two-factor</th>
            <th scope="col">Last sign-in</th>
            {isOwner && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.id}>
              <td className="lead">
                <span className={styles.lead}>
                  <span className={styles.name}>
                    {member.name}
                    {member.current && <Chip tone="accent">You</Chip>}
                    {!member.password && <Chip tone="warn">Invited</Chip>}
                  </span>
                  <span className="muted small">{member.email}</span>
                </span>
              </td>
              <td data-label="Role">{roleLabel(member.role)}</td>
              <td data-label="Two-factor">
                <Chip tone={member.two_factor ? 'good' : 'quiet'}>
                  {member.two_factor ? 'Enabled' : 'Not set up'}
                </Chip>
              </td>
              <td data-label="Last sign-in" className={styles.nowrap}>
                <LastSignIn member={member} />
              </td>
              {isOwner && (
                <td className="row-actions">
                  {!member.current && <Actions member={member} onAction={onAction} />}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LastSignIn({ member: { last_sign_in_at: at } }: { member: TeamMember }) {
  const { ago, time } = useFormats();
  if (at === null) return <span className="muted">Never</span>;
  return (
    <time dateTime={at} title={time(at)}>
      {ago(at)}
    </time>
  );
}

function Actions({ member, onAction }: Pick<Props, 'onAction'> & { member: TeamMember }) {
  const whose = <span className="visually-hidden"> of {member.name}</span>;
  return (
    <span className={styles.actions}>
      {!member.password && (
        <Button variant="default" size="compact-sm" onClick={() => onAction('resend', member)}>
          Resend invitation<span className="visually-hidden"> for {member.name}</span>
        </Button>
      )}
      <Button variant="default" size="compact-sm" onClick={() => onAction('role', member)}>
        Change role{whose}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        className={styles.remove ?? ''}
        onClick={() => onAction('remove', member)}
      >
        Remove<span className="visually-hidden"> {member.name}</span>
      </Button>
    </span>
  );
}
