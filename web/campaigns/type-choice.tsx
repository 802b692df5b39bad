import { Radio, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CampaignOverview } from '../../src/console/catalog-api.ts';
import styles from './campaigns.module.css';

export interface TypeChoiceProps {
  /** The allowed types; null for any. */
  types: CampaignOverview['types'];
  value?: string;
  error?: ReactNode;
  onChange?: (value: string) => void;
}

/** The type of a new campaign: one of the allowed ones, with the operator's explanations, or any text. */
export function TypeChoice({ types, value = '', error, onChange }: TypeChoiceProps) {
  if (types === null)
    return (
      <TextInput
        label="Type"
        required
        value={value}
        error={error}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
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
