import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createProduct } from '../products/product-version.ts';
import { useAllows } from '../session/role.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import styles from './product.module.css';

const fields = [
  {
    name: 'identifier',
    label: 'Identifier',
    hint: 'The SKU or another unique ID. You can’t change it later.',
  },
  { name: 'title', label: 'Title', hint: undefined },
] as const;

/** Asks for what a new product must have. Everything else is added on its own page. */
export function Page() {
  const canEdit = useAllows('editor');
  const navigate = useNavigate();
  const [values, setValues] = useState({ identifier: '', title: '' });
  const { mutate, isPending, error } = useMutation({
    mutationFn: createProduct,
    onSuccess: ({ product }) =>
      navigate({ to: '/products/$product', params: { product: String(product.internal_id) } }),
  });
  const errors = fieldErrors(error);
  return (
    <>
      <PageHeader title="Add product" lead="Next, you’ll add price, stock, and images." />
      <RoleNotice least="editor" action="add products" />
      {canEdit && (
        <Panel>
          <form
            className={styles.newProduct}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!isPending) mutate(values);
            }}
          >
            <FormError error={Object.keys(errors).length > 0 ? null : error} />
            {fields.map(({ name, label, hint }) => (
              <TextInput
                key={name}
                label={label}
                description={hint}
                required
                autoComplete="off"
                error={errors[name]}
                value={values[name]}
                onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              />
            ))}
            <div className={styles.dialogButtons}>
              <LinkButton to="/products" variant="default">
                Cancel
              </LinkButton>
              <Button type="submit" aria-busy={isPending}>
                Add product
              </Button>
            </div>
          </form>
        </Panel>
      )}
    </>
  );
}
