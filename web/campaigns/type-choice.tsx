import { Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CampaignOverview } from '../../src/console/catalog-api.ts';
import { WithSuggestions } from '../ui/with-suggestions.tsx';
import styles from './campaigns.module.css';
import { campaignTypesQuery } from './queries.ts';

export interface TypeChoiceProps {
  /** The allowed types; null for any. */
  types: CampaignOverview['types'];
  value?: string;
  error?: ReactNode;
  onChange?: (value: string) => void;
}

/** The type of a new campaign: one of the allowed ones, with the operator's explanations, or any text. */
export function TypeChoice({ types, value = '', error, onChange }: TypeChoiceProps) {
  const known = useQuery({ ...campaignTypesQuery, enabled: types === null }).data;
  if (types === null)
    return (
      <WithSuggestions options={known ?? []}>
        {(list) => (
          <TextInput
            label="Type"
            required
            list={list}
            autoComplete="off"
            value={value}
            error={error}
            onChange={(event) => onChange?.(event.currentTarget.value)}
          />
        )}
      </WithSuggestions>
    );
  return (
    <Radio.Group label="Type" required value={value} error={error} {...(onChange && { onChange })}>
      <div className={styles.types}>
        {types.map(({ name, explanation }) => (
          <Radio key={name} value={name} label={name} description={explanation} />
        ))}
      </div>
    </Radio.Group>
  );
}
