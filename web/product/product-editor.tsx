import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { BackToProducts } from '../products/back-to-products.tsx';
import { auctions, details, images, prices, shipping, stockField } from '../products/fields.ts';
import type { ProductVersion } from '../products/product-version.ts';
import { issuesQuery } from '../products/queries.ts';
import { StatusChip } from '../products/status-chip.tsx';
import { useAllows } from '../session/role.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { EditField } from './edit-field.tsx';
import { FieldGroup } from './field-group.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { Margin } from './margin.tsx';
import { focusField, Moderation } from './moderation.tsx';
import styles from './product.module.css';
import { ProductHistory } from './product-history.tsx';
import { ProductImages } from './product-images.tsx';
import { ProductSide } from './product-side.tsx';
import { SaveBar } from './save-bar.tsx';
import { useEditor } from './use-editor.ts';
import { VariationsEditor } from './variations-editor.tsx';

/** The form of a product. `latest` is the newest version that the page has read. */
export function ProductEditor({ latest }: { latest: ProductVersion }) {
  const editor = useEditor(latest);
  const form = useRef<HTMLFormElement>(null);
  const { product } = editor.base;
  const { status, identifier } = product;
  const isModerated = status === 'problematic' || status === 'banned';
  const hasImages = product.primary_image !== null || product.extra_images !== null;
  const issues = useQuery({ ...issuesQuery(identifier), enabled: isModerated || hasImages }).data;
  const readOnly = !useAllows('editor') || status === 'deleted';
  const shared = { editor, readOnly, reasons: (isModerated && issues?.reasons) || [] };
  useFocusOnError(editor.errors);
  useSaveKey(form);
  return (
    <>
      <BackToProducts />
      <PageHeader
        title={product.title ?? identifier}
        lead={
          <span className={styles.lead}>
            <StatusChip status={status} /> <span className="mono">{identifier}</span>
          </span>
        }
      />
      <RoleNotice least="editor" action="change products" />
      {isModerated && issues !== undefined && <Moderation issues={issues} />}
      <form
        ref={form}
        className={styles.columns}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (editor.isDirty && !editor.isSaving) void editor.save();
        }}
      >
        <div className={styles.main}>
          <FieldGroup group={details} {...shared} />
          <Panel title="Stock">
            {product.variations.length === 0 && (
              <div className={styles.fields}>
                <EditField field={stockField} {...shared} />
              </div>
            )}
            <VariationsEditor editor={editor} readOnly={readOnly} />
          </Panel>
          <FieldGroup group={prices} {...shared}>
            <Margin editor={editor} />
          </FieldGroup>
          <FieldGroup group={images} {...shared}>
            <ProductImages editor={editor} problems={issues?.image_problems ?? []} />
          </FieldGroup>
          <FieldGroup group={auctions} {...shared} />
          <FieldGroup group={shipping} {...shared} />
          <ProductHistory identifier={identifier} />
          {!readOnly && <SaveBar editor={editor} />}
        </div>
        <ProductSide editor={editor} readOnly={!useAllows('editor')} />
      </form>
      {editor.conflict !== undefined && (
        <ConflictDialog key={editor.conflict.current.etag} conflict={editor.conflict} editor={editor} />
      )}
      <LeaveDialog isDirty={editor.isDirty} />
    </>
  );
}

/** Focuses the first field that the server rejected. */
function useFocusOnError(errors: Record<string, string>): void {
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    const invalid = document.querySelector<HTMLElement>('#main [aria-invalid=true]');
    if (invalid !== null && 'name' in invalid) focusField(String(invalid.name));
  }, [errors]);
}

/** Saves with Ctrl+S, or Cmd+S on a Mac. */
function useSaveKey(form: React.RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [form]);
}
