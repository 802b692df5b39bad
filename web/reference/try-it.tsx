import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from '../server/store.ts';
import { recentToken } from '../session/session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { FormError } from '../ui/form-error.tsx';
import { buildRequest, sendRequest } from './api-request.ts';
import { curlCommand } from './curl.ts';
import type { Parameter } from './open-api.ts';
import styles from './reference.module.css';
import { useReference } from './reference-context.ts';
import { ResponseView } from './response-view.tsx';

interface Props {
  path: string;
  method: string;
  parameters: Parameter[];
}

/** A form that sends a request to the API as an integration would. Rendered when it is opened. */
export function TryIt(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.folded} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Try it</summary>
      {isOpen && <TryForm {...props} />}
    </details>
  );
}

function TryForm({ path, method, parameters }: Props) {
  const { api } = useReference();
  const token = useStore(recentToken);
  const [values, setValues] = useState<Record<string, string>>({});
  const request = buildRequest({ url: `${api.url}${path}`, method, parameters }, values, token || 'TOKEN');
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => sendRequest(request) });
  const plain = parameters.filter((parameter) => parameter.in === 'query' || parameter.in === 'path');
  const inHeaders = parameters.filter((parameter) => parameter.in === 'header');
  const input = (parameter: Parameter) => (
    <Input
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      onChange={(value) => setValues({ ...values, [parameter.name]: value })}
    />
  );
  return (
    <>
      <form
        className={styles.try}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        {plain.length > 0 && <div className={styles.inputs}>{plain.map(input)}</div>}
        {inHeaders.length > 0 && (
          <details>
            <summary>Headers</summary>
            <div className={styles.inputs}>{inHeaders.map(input)}</div>
          </details>
        )}
        <CodeBlock text={curlCommand(request, api)} label={`curl command for ${path}`} />
        <div className={styles.send}>
          <Button type="submit" loading={isPending} disabled={token === ''}>
            Send
          </Button>
          {token === '' && (
            <span className="muted small">
              Enter an <a href="#access-token">access token</a> next to the contents first.
            </span>
          )}
        </div>
        <FormError error={error && new Error('Can’t reach the API from this page.')} />
      </form>
      {data !== undefined && <ResponseView response={data} />}
    </>
  );
}

interface InputProps {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}

function Input({ parameter: { name, required, schema, example }, value, onChange }: InputProps) {
  const options = schema !== undefined && 'enum' in schema ? schema.enum : undefined;
  const shared = { label: name, required: required ?? false, value };
  if (options !== undefined) {
    const data = ['', ...options.filter((option) => option !== null).map(String)];
    return <NativeSelect {...shared} data={data} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      placeholder={example === undefined ? '' : String(example)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
