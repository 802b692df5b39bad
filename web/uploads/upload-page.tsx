import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { LinkButton } from '../shell/link-button.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
import { ChooseFile } from './choose-file.tsx';
import { FormatNotes } from './format-notes.tsx';
import { SendingProgress } from './sending-progress.tsx';
import { UploadSteps } from './upload-steps.tsx';
import styles from './uploads.module.css';
import { useSending } from './use-sending.ts';

const route = getRouteApi('/signed-in/products/upload');

export function Page() {
  const { id } = route.useSearch();
  const navigate = useNavigate();
  const sending = useSending(
    (upload) => void navigate({ to: '/products/upload', search: { id: upload.id } }),
  );
  const again = (): void => {
    sending.stop();
    void navigate({ to: '/products/upload', search: {} });
  };
  return (
    <>
      <PageHeader
        title="Upload products"
        lead="You see what a file would change before anything is written."
        actions={
          <LinkButton to="/products" activeOptions={{ exact: true }} variant="default">
            Back to the products
          </LinkButton>
        }
      />
      <div className={styles.parts}>
        {id !== undefined ? (
          <UploadSteps key={id} id={id} onAgain={again} />
        ) : (
          <>
            <Panel>
              {sending.isSending ? (
                <SendingProgress sending={sending} />
              ) : (
                <ChooseFile onFile={sending.send} error={sending.error} />
              )}
            </Panel>
            <FormatNotes />
          </>
        )}
      </div>
    </>
  );
}
