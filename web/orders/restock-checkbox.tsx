import { Checkbox, type CheckboxProps } from '@mantine/core';

/** Whether units of an order go back to the stock. */
export function RestockCheckbox(props: CheckboxProps) {
  return (
    <Checkbox
      label="Put the units back into stock"
      description="If the order took them from your stock."
      {...props}
    />
  );
}
