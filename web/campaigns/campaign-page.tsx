import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { CampaignResults, ChosenPlacements } from '../placements/campaign-results.tsx';
import { DiagnosisPanel } from '../placements/diagnosis-panel.tsx';
import type { ProposedChange } from '../placements/loss-advice.ts';
import type { ResultsSearch } from '../placements/queries.ts';
import { call } from '../server/call.ts';
import { ServerError } from '../server/server-error.ts';
import { useAllows } from '../session/role.ts';
import { FormError } from '../ui/form-error.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { CampaignBudgets } from './campaign-budgets.tsx';
import { CampaignFacts } from './campaign-facts.tsx';
import { ProductsOfCampaign } from './campaign-products.tsx';
import { CampaignState } from './campaign-status.tsx';
import { DuplicateCampaign } from './duplicate-campaign.tsx';
import { EditCampaign } from './edit-campaign.tsx';
import { EndCampaign } from './end-campaign.tsx';
import { campaignQuery, showCampaign } from './queries.ts';

const route = getRouteApi('/signed-in/campaigns/$campaign');

/** One campaign and what can be done with it. */
export function Page() {
  const { campaign: id } = route.useParams();
  const search = route.useSearch();
  const query = useQuery(campaignQuery(id));
  const { data: campaign, error } = query;
  if (campaign !== undefined) return <CampaignDetail key={id} campaign={campaign} search={search} />;
  if (error instanceof ServerError && error.status === 404) return <NotFound />;
  return (
    <>
      <PageHeader lead={<Link to="/campaigns">All campaigns</Link>} />
      <Panel>
        <Loaded query={query} skeleton={5} />
      </Panel>
    </>
  );
}

type OpenDialog = 'edit' | 'duplicate' | 'end' | ProposedChange;

function CampaignDetail({ campaign, search }: { campaign: Campaign; search: ResultsSearch }) {
  const { internal_id: id, status, name } = campaign;
  const canEdit = useAllows('editor');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const isPaused = status === 'Paused';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(isPaused ? 'resumeCampaign' : 'pauseCampaign', { internal_id: id }),
    onSuccess: (changed) => {
      showCampaign(changed);
      notifications.show({
        message: `Campaign “${changed.name}” ${changed.status === 'Paused' ? 'paused' : 'resumed'}.`,
      });
    },
  });
  const isEnded = status === 'Expired';
  const actions = canEdit && (
    <>
      {(status === 'Active' || isPaused) && (
        // A loading button would be disabled, and lose the focus.
        <Button
          variant={isPaused ? 'filled' : 'default'}
          aria-busy={isPending}
          onClick={() => !isPending && mutate()}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      {!isEnded && (
        <Button variant="default" onClick={() => setDialog('edit')}>
          Edit
        </Button>
      )}
      <Button variant="default" onClick={() => setDialog('duplicate')}>
        Duplicate
      </Button>
      {!isEnded && (
        <Button variant="default" onClick={() => setDialog('end')}>
          End
        </Button>
      )}
    </>
  );
  return (
    <>
      <PageHeader title={name} lead={<Link to="/campaigns">All campaigns</Link>} actions={actions} />
      <RoleNotice least="editor" action="change campaigns" />
      <FormError error={error} />
      <div className="parts">
        <ChosenPlacements campaign={campaign} search={search} />
        <CampaignState campaign={campaign} />
        <CampaignBudgets campaign={campaign} search={search} />
        <CampaignResults campaign={campaign} search={search} />
        <DiagnosisPanel
          campaign={campaign}
          search={search}
          onChange={canEdit && !isEnded ? setDialog : undefined}
        />
        <ProductsOfCampaign campaign={campaign} />
        <CampaignFacts campaign={campaign} />
      </div>
      {dialog === 'edit' && <EditCampaign campaign={campaign} onClose={close} />}
      {typeof dialog === 'object' && <EditCampaign campaign={campaign} proposed={dialog} onClose={close} />}
      {dialog === 'duplicate' && <DuplicateCampaign campaign={campaign} onClose={close} />}
      {dialog === 'end' && <EndCampaign campaign={campaign} onClose={close} />}
    </>
  );
}
