import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAllows, useSession } from '../session.ts';
import { describeName, MarketplaceForm } from './marketplace-form.tsx';
import { marketplaceQuery } from './queries.ts';

export function Page() {
  const query = useQuery(marketplaceQuery);
  const isAdmin = useAllows('admin');
  const { brand_name: brandName } = useSession();
  return (
    <>
      <PageHeader
        lead={
          isAdmin
            ? 'What the marketplace is called, and what new merchants start with.'
            : 'What the marketplace is called, and what new merchants start with. Admins can change it.'
        }
      />
      <Panel>
        <Loaded query={query} skeleton={4}>
          {(marketplace) =>
            isAdmin ? (
              <MarketplaceForm marketplace={marketplace} />
            ) : (
              <dl className="facts">
                <dt>Name</dt>
                <dd>
                  {marketplace.name}
                  <br />
                  <span className="muted small">{describeName(brandName)}</span>
                </dd>
                <dt>Time zone</dt>
                <dd>{marketplace.time_zone}</dd>
                <dt>Currency</dt>
                <dd>{marketplace.currency}</dd>
              </dl>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
