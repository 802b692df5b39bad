import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAllows } from '../session/role.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ChooseFile } from './choose-file.tsx';
import { FormatNotes } from './format-notes.tsx';
import { uploadQuery } from './queries.ts';
import { RecentUploads } from './recent-uploads.tsx';
import { SendingPanel } from './sending-panel.tsx';
import { UploadSteps } from './upload-steps.tsx';
import styles from './uploads.module.css';
import { useFileUpload } from './use-file-upload.ts';
import { wordsOf } from './words.ts';

const route = getRouteApi('/signed-in/products/upload');

export function Page() {
  const { id } = route.useSearch();
  const navigate = useNavigate();
  const canEdit = useAllows('editor');
  const { data: upload } = useQuery({ ...uploadQuery(id ?? ''), enabled: id !== undefined });
  const fileUpload = useFileUpload(
    (upload) => void navigate({ to: '/products/upload', search: { id: upload.id } }),
  );
  const hasPreview = upload === undefined || upload.state === 'checking' || upload.state === 'ready';
  const startOver = (): void => {
    fileUpload.cancel();
    void navigate({ to: '/products/upload', search: {} });
  };
  return (
    <>
      <PageHeader
        title={upload === undefined ? 'Upload products' : wordsOf(upload).page}
        lead={
          hasPreview
            ? `Preview the changes before ${upload?.is_bulk ? 'applying them' : 'importing'}.`
            : undefined
        }
        actions={
          <LinkButton to="/products" activeOptions={{ exact: true }} variant="default">
            Back to products
          </LinkButton>
        }
      />
      <RoleNotice least="editor" action="upload and import files" />
      <div className={styles.parts}>
        {id !== undefined ? (
          <UploadSteps key={id} id={id} onStartOver={startOver} />
        ) : (
          <>
            {canEdit && (
              <Panel>
                {fileUpload.isSending ? (
                  <SendingPanel upload={fileUpload} />
                ) : (
                  <ChooseFile onFile={fileUpload.send} error={fileUpload.error} />
                )}
              </Panel>
            )}
            <FormatNotes />
            <RecentUploads />
          </>
        )}
      </div>
    </>
  );
}
