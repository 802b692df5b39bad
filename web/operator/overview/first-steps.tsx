import { Button } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconPlus, IconShoppingBag } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CreateMerchant } from '../merchants/create-merchant.tsx';
import { useAllows, useSession } from '../session.ts';

/** What to do first in a marketplace without merchants: name it, if it has no name, and create a merchant. */
export function FirstSteps() {
  const { marketplace } = useSession();
  const isAdmin = useAllows('admin');
  const maySupport = useAllows('support');
  const [isCreating, setIsCreating] = useState(false);
  const isUnnamed = isAdmin && !marketplace.is_set;
  return (
    <Panel title="First steps" flush>
      <EmptyState
        Icon={IconShoppingBag}
        title="Create the first merchant"
        description={
          isAdmin
            ? 'You get a key for the merchant’s software, and a command that tries it in a terminal.'
            : maySupport
              ? 'An admin can then create a key for the merchant’s software.'
              : 'Support and admins can create merchants.'
        }
      >
        {maySupport && (
          <Button leftSection={<IconPlus size={17} />} onClick={() => setIsCreating(true)}>
            Create the first merchant
          </Button>
        )}
        {isUnnamed && (
          <LinkButton to="/marketplace" variant="default">
            Name the marketplace
          </LinkButton>
        )}
      </EmptyState>
      {isCreating && <CreateMerchant onClose={() => setIsCreating(false)} />}
    </Panel>
  );
}
