import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TeamList } from '../../src/console/console-api.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { useSession } from '../session/session.ts';
import { useMayChangeShop } from '../test-data/use-test-data.ts';
import { Chip } from '../ui/chip.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { showTeam } from './queries.ts';
import styles from './team.module.css';

/** Whether all users of the shop need two-factor authentication, which owners decide. */
export function RequireTwoFactor({ team }: { team: TeamList }) {
  const { user, two_factor_required_by: requiredBy } = useSession();
  const canChange = useMayChangeShop();
  const isRequired = team.requires_two_factor;
  const { mutate, error, isPending } = useMutation({
    mutationFn: (required: boolean) => post<TeamList>('team/two-factor', { required }),
    onSuccess: (changed) => {
      showTeam(changed);
      void refresh('session');
      notifications.show({
        message: `Two-factor authentication is ${changed.requires_two_factor ? 'required' : 'optional'}.`,
      });
    },
  });
  const missing = team.members.filter((member) => !member.two_factor).length;
  const isForced = requiredBy === 'operator';
  return (
    <Panel
      title="Two-factor authentication"
      aside={
        <Chip tone={isRequired || isForced ? 'good' : 'quiet'}>
          {isRequired || isForced ? 'Required' : 'Optional'}
        </Chip>
      }
    >
      <div className={styles.setting}>
        <p className="muted">
          {isForced
            ? 'Your marketplace operator requires two-factor authentication of everyone.'
            : isRequired
              ? 'Users without two-factor authentication must set it up before they can do anything else.'
              : 'If you require it, users without two-factor authentication must set it up before they can do anything else.'}
        </p>
        {missing > 0 && (
          <p>
            {missing} of {team.members.length} users {missing === 1 ? 'hasn’t' : 'haven’t'} set it up yet.
          </p>
        )}
        <FormError error={error} />
        {canChange &&
          !isForced &&
          (isRequired || user.two_factor ? (
            // A loading button would be disabled, and lose the focus.
            <Button
              variant={isRequired ? 'default' : 'filled'}
              aria-busy={isPending}
              onClick={() => !isPending && mutate(!isRequired)}
            >
              {isRequired ? 'Make optional' : 'Require for everyone'}
            </Button>
          ) : (
            <p>
              <Link to="/account">Enable it for your own account</Link> first. Then you can require it.
            </p>
          ))}
      </div>
    </Panel>
  );
}
