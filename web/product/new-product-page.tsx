import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createProduct } from '../products/product-version.ts';
import { useAllows } from '../session/role.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
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
  const creation = useMutation({
    mutationFn: createProduct,
    onSuccess: ({ product }) =>
      navigate({ to: '/products/$product', params: { product: String(product.internal_id) } }),
  });
  const errors = fieldErrors(creation.error);
  return (
    <>
      <PageHeader lead="Next, you’ll add price, stock, and images." />
      <RoleNotice least="editor" action="add products" />
      {canEdit && (
        <Panel>
          <Form
            className={styles.newProduct}
            noValidate
            action="Add product"
            cancel={
              <LinkButton to="/products" variant="default">
                Cancel
              </LinkButton>
            }
            mutation={creation}
            inputs={Object.keys(values)}
            onSubmit={() => creation.mutate(values)}
          >
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
          </Form>
        </Panel>
      )}
    </>
  );
}
