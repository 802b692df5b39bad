import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../feedback/code-block.tsx';
import { keptToken } from '../keys/kept-token.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import { AnswerShown } from './answer-shown.tsx';
import { curlLine } from './curl.ts';
import type { Parameter } from './open-api.ts';
import styles from './reference.module.css';
import { callOf, send } from './trial.ts';

/** Sends what is filled in to the API itself, as a program would. */
export function TryIt({
  path,
  method,
  parameters,
}: {
  path: string;
  method: string;
  parameters: Parameter[];
}) {
  const { api_url: apiUrl } = useSession();
  const token = useStore(keptToken);
  const [values, setValues] = useState<Record<string, string>>({});
  const call = callOf({ url: `${apiUrl}${path}`, method, parameters }, values, token || 'TOKEN');
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => send(call) });
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
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
      <h3 className={styles.heading}>Try it</h3>
      <form
        className={styles.try}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        {inQuery.length > 0 && <div className={styles.inputs}>{inQuery.map(input)}</div>}
        <details>
          <summary>Headers</summary>
          <div className={styles.inputs}>{inHeaders.map(input)}</div>
        </details>
        <CodeBlock text={curlLine(call)} what={`the curl line of ${path}`} />
        <div className={styles.send}>
          <Button type="submit" loading={isPending} disabled={token === ''}>
            Send
          </Button>
          {token === '' && (
            <span className="soft small">
              Enter an <a href="#access-token">access token</a> first.
            </span>
          )}
        </div>
        <FormProblem
          error={error && new Error('There was no answer: the API cannot be reached from this page.')}
        />
      </form>
      {data !== undefined && <AnswerShown answer={data} />}
    </>
  );
}

interface InputProps {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}

function Input({ parameter: { name, required, schema, example }, value, onChange }: InputProps) {
  const words = schema !== undefined && 'enum' in schema ? schema.enum : undefined;
  const shared = { label: name, required: required ?? false, value };
  if (words !== undefined) {
    const data = ['', ...words.map(String)];
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
