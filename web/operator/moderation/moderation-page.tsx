import { Checkbox } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useSingleKeys } from '../../palette/shortcuts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCircleCheck, IconShieldCheck } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAllows } from '../session.ts';
import { queueQuery } from './queries.ts';
import { Review } from './review.tsx';

export function Page() {
  const { merchant } = useSearch({ from: '/signed-in/moderation' });
  const list = useInfiniteQuery(queueQuery(merchant));
  const canDecide = useAllows('support');
  const [hasKeys, setKeys] = useSingleKeys();
  return (
    <>
      <PageHeader
        lead="What merchants created or changed, the longest wait first."
        actions={
          canDecide && (
            <Checkbox
              label="Single-key shortcuts"
              checked={hasKeys}
              onChange={(event) => setKeys(event.currentTarget.checked)}
            />
          )
        }
      />
      {!canDecide && <Notice>Only admins and support can decide about products. You are a viewer.</Notice>}
      <Loaded query={list} skeleton={8}>
        {({ pages }) => {
          const entries = pages.flatMap(({ results }) => results);
          const isOn = pages[0]?.is_on ?? true;
          if (entries.length > 0 || list.hasNextPage)
            return (
              <Review
                key={merchant ?? ''}
                entries={entries}
                list={list}
                merchant={merchant}
                canDecide={canDecide}
              />
            );
          return (
            <Panel>
              <EmptyState
                Icon={isOn ? IconCircleCheck : IconShieldCheck}
                title={isOn ? 'Nothing waits for a review' : 'Products do not wait for a review'}
                description={
                  isOn
                    ? 'Products appear here once merchants create them, or change their texts, prices, category, or pictures.'
                    : 'Start Tradepost with the setting MODERATION_QUEUE=on to review what merchants create and change.'
                }
              >
                {merchant !== undefined && (
                  <LinkButton to="/moderation" search={{}} variant="default">
                    Show all merchants
                  </LinkButton>
                )}
              </EmptyState>
            </Panel>
          );
        }}
      </Loaded>
    </>
  );
}
