import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAllows } from '../session/role.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ChooseFile } from './choose-file.tsx';
import { FormatNotes } from './format-notes.tsx';
import { RecentUploads } from './recent-uploads.tsx';
import { SendingPanel } from './sending-panel.tsx';
import { UploadSteps } from './upload-steps.tsx';
import styles from './uploads.module.css';
import { useFileUpload } from './use-file-upload.ts';

const route = getRouteApi('/signed-in/products/upload');

export function Page() {
  const { id } = route.useSearch();
  const navigate = useNavigate();
  const canEdit = useAllows('editor');
  const fileUpload = useFileUpload(
    (upload) => void navigate({ to: '/products/upload', search: { id: upload.id } }),
  );
  const startOver = (): void => {
    fileUpload.cancel();
    void navigate({ to: '/products/upload', search: {} });
  };
  return (
    <>
      <PageHeader
        title="Upload products"
        lead="Preview the changes before importing."
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
