import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { conditions } from '../../src/products/record/product.ts';
import { rangeBounds } from '../../src/shared/range-bounds.ts';
import { useFormats } from '../format/use-formats.ts';
import { withCurrent } from '../ui/with-current.ts';
import { WithSuggestions } from '../ui/with-suggestions.tsx';
import { CategoryPicker } from './category-picker.tsx';
import { changeListing, type FilterName, type Listing } from './listing.ts';
import styles from './products.module.css';
import { campaignNamesQuery } from './queries.ts';

const conditionOptions = [
  { value: '', label: 'Any' },
  ...conditions.map((value) => ({ value, label: value })),
];

/** The filters, except the status and the search. Each choice changes the URL immediately. */
export function Filters({ listing, id }: { listing: Listing; id: string }) {
  const navigate = useNavigate();
  const choose = (name: FilterName, value: string): void => {
    const search = changeListing(listing, { [name]: value });
    void navigate({ to: '/products', search, resetScroll: false });
  };
  return (
    <fieldset id={id} className={styles.filters}>
      <legend className="visually-hidden">Filters</legend>
      <CategoryPicker value={listing.category} onChange={(category) => choose('category', category ?? '')} />
      <NativeSelect
        label="Condition"
        data={conditionOptions}
        value={listing.condition ?? ''}
        onChange={(event) => choose('condition', event.currentTarget.value)}
      />
      <CampaignFilter value={listing.campaign ?? ''} onChange={(name) => choose('campaign', name)} />
      <Range label="Price" listing={listing} from="price_from" below="price_below" choose={choose} />
      <Range label="Stock" listing={listing} from="stock_from" below="stock_below" choose={choose} />
    </fieldset>
  );
}

interface RangeProps {
  label: string;
  listing: Listing;
  from: FilterName;
  below: FilterName;
  choose: (name: FilterName, value: string) => void;
}

/** The two ends of a range. Only round numbers can be chosen: the server has an index of these ranges. */
function Range({ label, listing, from, below, choose }: RangeProps) {
  const { whole, money } = useFormats();
  const labelOf = from === 'price_from' ? money : whole;
  const options = (current: string | undefined) => {
    const bounds = rangeBounds.map((bound) => ({ value: String(bound), label: labelOf(bound) }));
    return [{ value: '', label: 'Any' }, ...withCurrent(bounds, current)];
  };
  return (
    <div className={styles.range}>
      <NativeSelect
        label={`${label} from`}
        data={options(listing[from])}
        value={listing[from] ?? ''}
        onChange={(event) => choose(from, event.currentTarget.value)}
      />
      <NativeSelect
        label={`${label} below`}
        data={options(listing[below])}
        value={listing[below] ?? ''}
        onChange={(event) => choose(below, event.currentTarget.value)}
      />
    </div>
  );
}

/** The name of a campaign, with suggestions. Applied after Enter, or when the input is left. */
function CampaignFilter({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { data: names = [] } = useQuery(campaignNamesQuery);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (name: string): void => {
    if (name.trim() !== value) onChange(name.trim());
  };
  return (
    <WithSuggestions options={names}>
      {(list) => (
        <TextInput
          label="Campaign"
          placeholder="Any"
          list={list}
          autoComplete="off"
          maxLength={255}
          value={text}
          onChange={(event) => {
            const name = event.currentTarget.value;
            setText(name);
            if (name === '' || names.includes(name)) apply(name);
          }}
          onBlur={() => apply(text)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') apply(text);
          }}
        />
      )}
    </WithSuggestions>
  );
}
