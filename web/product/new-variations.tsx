import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconX } from '../ui/icons.ts';
import { WithSuggestions } from '../ui/with-suggestions.tsx';
import { CellInput } from './cell-input.tsx';
import { CombineDialog } from './combine-dialog.tsx';
import type { NewVariation } from './edits.ts';
import styles from './product.module.css';
import { useSuggestions } from './suggestions.ts';
import type { Editor } from './use-editor.ts';

const columns = [
  { name: 'identifier', label: 'Identifier' },
  { name: 'size', label: 'Size' },
  { name: 'color', label: 'Color' },
  { name: 'quantity', label: 'Stock' },
] as const;

/** Rows for variations to add. Size and color cannot change once they are saved. */
export function NewVariations({ editor }: { editor: Editor }) {
  const hasRows = editor.added.length > 0;
  const sizes = useSuggestions(hasRows ? 'sizes' : undefined);
  const colors = useSuggestions(hasRows ? 'colors' : undefined);
  return (
    <WithSuggestions options={sizes}>
      {(size) => (
        <WithSuggestions options={colors}>
          {(color) => <Rows editor={editor} lists={{ size, color }} />}
        </WithSuggestions>
      )}
    </WithSuggestions>
  );
}

interface RowsProps {
  editor: Editor;
  /** The IDs of lists of suggestions. */
  lists: { size: string; color: string };
}

function Rows({ editor, lists }: RowsProps) {
  const { added, setAdded, errors } = editor;
  const [isCombining, { open, close }] = useDisclosure(false);
  const errorOf = ({ identifier }: NewVariation, name: string): string | undefined => {
    const ofEntry = errors[`variations[${identifier}][${name}]`];
    return name === 'identifier' ? (ofEntry ?? errors[`variations[${identifier}]`]) : ofEntry;
  };
  const change = (index: number, name: keyof NewVariation, text: string): void => {
    setAdded(added.map((row, at) => (at === index ? { ...row, [name]: text } : row)));
  };
  return (
    <div className={styles.newVariations}>
      {added.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity yet
        <fieldset key={index} className={styles.newVariation}>
          <legend className="visually-hidden">New variation {index + 1}</legend>
          {columns.map(({ name, label }) => (
            <div key={name} className={styles.labeled}>
              <span className="small muted" aria-hidden="true">
                {label}
              </span>
              <CellInput
                name={`new-${index}-${name}`}
                label={`${label} of new variation ${index + 1}`}
                value={row[name]}
                error={errorOf(row, name)}
                isEdited
                list={name === 'size' || name === 'color' ? lists[name] : undefined}
                inputMode={name === 'quantity' ? 'numeric' : undefined}
                onChange={(text) => change(index, name, text)}
              />
            </div>
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Remove new variation ${index + 1}`}
            onClick={() => setAdded(added.filter((_, at) => at !== index))}
          >
            <IconX size={16} />
          </Button>
        </fieldset>
      ))}
      <div className={styles.rowActions}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={15} />}
          onClick={() => setAdded([...added, { identifier: '', size: '', color: '', quantity: '' }])}
        >
          Add variation
        </Button>
        <Button variant="default" size="compact-sm" onClick={open}>
          Add variations by size and color
        </Button>
      </div>
      {isCombining && <CombineDialog editor={editor} onClose={close} />}
    </div>
  );
}
