import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAllows } from '../session/role.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ShownPart } from '../ui/shown-part.tsx';
import { ChooseFile } from './choose-file.tsx';
import { FormatNotes } from './format-notes.tsx';
import { ImportSteps } from './import-steps.tsx';
import { importQuery } from './queries.ts';
import { RecentImports } from './recent-imports.tsx';
import { SendingPanel } from './sending-panel.tsx';
import { useFileImport } from './use-file-import.ts';
import { wordsOf } from './words.ts';

/** The status in the URL of the list of imports with rejected rows. */
const REJECTING = 'rejecting';
const route = getRouteApi('/signed-in/products/import');

export function Page() {
  const { id, status } = route.useSearch();
  const navigate = useNavigate();
  const canEdit = useAllows('editor');
  const { data: upload } = useQuery({ ...importQuery(id ?? ''), enabled: id !== undefined });
  const fileImport = useFileImport(
    (upload) => void navigate({ to: '/products/import', search: { id: upload.id } }),
  );
  const words = wordsOf(upload ?? { name: null, is_bulk: false });
  const hasPreview = upload === undefined || upload.state === 'checking' || upload.state === 'checked';
  const startOver = (): void => {
    fileImport.cancel();
    void navigate({ to: '/products/import', search: {} });
  };
  return (
    <>
      <PageHeader
        {...(words.title !== undefined && { title: words.title })}
        lead={hasPreview ? words.lead : undefined}
        actions={
          <LinkButton to="/products" activeOptions={{ exact: true }} variant="default">
            Back to products
          </LinkButton>
        }
      />
      <RoleNotice least="editor" action="upload and import files" />
      <div className="parts">
        {id !== undefined ? (
          <ImportSteps key={id} id={id} onStartOver={startOver} />
        ) : status === REJECTING ? (
          <div>
            <ShownPart to="/products/import" all="Show all uploads">
              Only uploads with rejected rows are shown.
            </ShownPart>
            <RecentImports isRejectingOnly />
          </div>
        ) : (
          <>
            {canEdit && (
              <Panel>
                {fileImport.isSending ? (
                  <SendingPanel upload={fileImport} />
                ) : (
                  <ChooseFile onFile={fileImport.send} error={fileImport.error} />
                )}
              </Panel>
            )}
            <FormatNotes />
            <RecentImports />
          </>
        )}
      </div>
    </>
  );
}
