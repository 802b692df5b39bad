import { type ReactNode, useState } from 'react';
import type { ModerationReason } from '../../src/events/event-types.ts';
import type { FieldGroup as Group } from '../products/fields.ts';
import { Panel } from '../ui/panel.tsx';
import { EditField } from './edit-field.tsx';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';

interface Props {
  group: Group;
  editor: Editor;
  reasons: readonly ModerationReason[];
  readOnly: boolean;
  children?: ReactNode;
}

/** A group of fields. Minor fields without a value are hidden until the user asks for them. */
export function FieldGroup({ group: { title, fields }, editor, reasons, readOnly, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isHidden = ({ name, main }: Group['fields'][number]): boolean =>
    !isOpen &&
    (main !== true || readOnly) &&
    editor.textOf(name) === '' &&
    !(name in editor.edits) &&
    !(name in editor.errors) &&
    !reasons.some(({ field }) => field === name);
  const hidden = fields.filter(isHidden);
  return (
    <Panel title={title}>
      <div className={styles.fields}>
        {fields
          .filter((field) => !hidden.includes(field))
          .map((field) => (
            <EditField key={field.name} field={field} editor={editor} reasons={reasons} readOnly={readOnly} />
          ))}
      </div>
      {hidden.length > 0 && !readOnly && (
        <button type="button" className={`text-button small ${styles.more}`} onClick={() => setOpen(true)}>
          Add{' '}
          {hidden
            .map(({ label }) => label.toLowerCase())
            .join(', ')
            .replace('bogo', 'BOGO')}
        </button>
      )}
      {children}
    </Panel>
  );
}
