import { FileButton, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inline } from '../../reference/prose.tsx';
import { queryClient, refresh } from '../../server/query-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { call } from '../call.ts';
import { useAllows } from '../session.ts';
import { type Entries, formatEntries, hints, parseEntries } from './entries-text.ts';
import { type ListSummary, listQuery } from './queries.ts';
import { listTitle } from './titles.ts';

interface Props {
  list: ListSummary;
  onClose: () => void;
}

/** Shows a list as text, which admins change or take from a file. */
export function EditList({ list, onClose }: Props) {
  const query = useQuery(listQuery(list.list));
  if (query.data !== undefined)
    return <Editor list={list} entries={query.data.entries as Entries} onClose={onClose} />;
  return (
    <Dialog title={listTitle(list.list)} size="lg" onClose={onClose}>
      <Loaded query={query} skeleton={8}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

function Editor({ list: { list, description, shape }, entries, onClose }: Props & { entries: Entries }) {
  const isAdmin = useAllows('admin');
  const [text, setText] = useState(() => formatEntries(entries));
  const change = useMutation({
    mutationFn: () => call('setMetadataList', { list }, { entries: parseEntries(text, shape) }),
    onSuccess: (changed) => {
      queryClient.setQueryData(listQuery(list).queryKey, changed);
      void refresh('lists', 'audit');
      notifications.show({ message: `${listTitle(list)} changed for all merchants.` });
      onClose();
    },
  });
  return (
    <DialogForm
      title={listTitle(list)}
      size="lg"
      text={<p>{inline(description)}</p>}
      closeOnClickOutside={false}
      action="Change for all merchants"
      button={{ disabled: !isAdmin || text === formatEntries(entries) }}
      mutation={change}
      inputs={['entries']}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Textarea
        label="Entries"
        description={hints[shape]}
        rows={14}
        readOnly={!isAdmin}
        data-autofocus
        value={text}
        error={fieldErrors(change.error).entries}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {isAdmin && (
        <FileButton
          accept="text/plain,text/csv,.txt,.csv"
          onChange={(file) => void file?.text().then((content) => setText(content))}
        >
          {(props) => (
            <button type="button" className="text-button" {...props}>
              Load from file
            </button>
          )}
        </FileButton>
      )}
    </DialogForm>
  );
}
