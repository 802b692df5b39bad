import { NativeSelect, type NativeSelectProps, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ModerationReason } from '../../src/events/event-types.ts';
import { conditions } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { CurrencySymbol } from '../products/currency-symbol.tsx';
import type { ProductField, SuggestedList } from '../products/fields.ts';
import { isMoney } from '../products/money-fields.ts';
import { pricesIn, priceWarnings } from '../products/price-warnings.ts';
import { campaignNamesQuery, categoriesQuery, metadataQuery } from '../products/queries.ts';
import { WithSuggestions } from '../ui/with-suggestions.tsx';
import { FieldReasons } from './moderation.tsx';
import styles from './product.module.css';
import { useSuggestions } from './suggestions.ts';
import type { Editor } from './use-editor.ts';

interface Props {
  field: ProductField;
  editor: Editor;
  reasons: readonly ModerationReason[];
  readOnly: boolean;
}

const SUGGEST_DELAY_MS = 200;

/** The input of one field, with its error, its warnings, and the operator's reasons for moderation. */
export function EditField({ field, editor, reasons, readOnly }: Props) {
  const { name, label, kind, hint, wide, list: suggested } = field;
  const { money } = useFormats();
  const text = editor.textOf(name);
  const warning = priceWarnings(pricesIn(editor.textOf), money)[name];
  const ofField = [
    ...reasons.filter(({ field }) => field === name).map(({ message }) => message),
    ...(warning === undefined ? [] : [warning]),
  ];
  const description = ofField.length === 0 ? hint : <FieldReasons reasons={ofField} hint={hint} />;
  const shared = {
    label,
    name,
    description,
    readOnly,
    error: editor.errors[name],
    value: text,
    'data-edited': name in editor.edits || undefined,
    className: `${wide === true ? styles.wide : ''} ${ofField.length > 0 ? styles.moderated : ''}`,
    onChange: (event: { currentTarget: { value: string } }) => editor.edit(name, event.currentTarget.value),
  };
  switch (kind) {
    case 'long':
    case 'lines':
      return <Textarea {...shared} autosize minRows={kind === 'long' ? 3 : 2} maxRows={14} />;
    case 'condition':
      return <ConditionSelect {...shared} disabled={readOnly} />;
    case 'category':
      return (
        <WithCategories text={text}>
          {(list) => <TextInput {...shared} list={list} autoComplete="off" />}
        </WithCategories>
      );
    case 'campaign':
      return (
        <WithCampaigns>{(list) => <TextInput {...shared} list={list} autoComplete="off" />}</WithCampaigns>
      );
    default: {
      const inputMode = kind === 'amount' ? 'decimal' : kind === 'whole' ? 'numeric' : undefined;
      const currency = isMoney(name) && {
        leftSection: <CurrencySymbol />,
        leftSectionPointerEvents: 'none' as const,
      };
      if (suggested === undefined)
        return <TextInput {...shared} {...currency} inputMode={inputMode} autoComplete="off" />;
      return (
        <WithListed list={suggested} text={text}>
          {(list) => <TextInput {...shared} list={list} autoComplete="off" />}
        </WithListed>
      );
    }
  }
}

/** The marketplace’s conditions, and the product’s own one. */
function ConditionSelect(props: NativeSelectProps & { value: string }) {
  const { data } = useQuery(metadataQuery);
  const names = new Set([...(data?.conditions ?? conditions), props.value]);
  names.delete('');
  const options = [...names].sort().map((value) => ({ value, label: value }));
  return <NativeSelect {...props} data={[{ value: '', label: 'None' }, ...options]} />;
}

function WithCategories({ text, children }: { text: string; children: (list: string) => ReactNode }) {
  const [query] = useDebouncedValue(text.trim().slice(0, 200), SUGGEST_DELAY_MS);
  const { data } = useQuery(categoriesQuery(query === '' ? {} : { query }));
  const listed = useSuggestions('categories', query);
  const own = data?.categories.map(({ category }) => category) ?? [];
  return <WithSuggestions options={[...new Set([...own, ...listed])]}>{children}</WithSuggestions>;
}

interface ListedProps {
  list: SuggestedList;
  text: string;
  children: (list: string) => ReactNode;
}

function WithListed({ list, text, children }: ListedProps) {
  return <WithSuggestions options={useSuggestions(list, text)}>{children}</WithSuggestions>;
}

function WithCampaigns({ children }: { children: (list: string) => ReactNode }) {
  const { data } = useQuery(campaignNamesQuery);
  return <WithSuggestions options={data ?? []}>{children}</WithSuggestions>;
}
