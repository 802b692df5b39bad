import { Radio } from '@mantine/core';
import type { Role } from '../../src/users/role.ts';
import { roleTexts } from '../session/role.ts';
import styles from './team.module.css';

/** A choice of a role, with what each one can do. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Radio.Group
      label="Role"
      value={value}
      onChange={(chosen) => {
        const text = roleTexts.find(({ role }) => role === chosen);
        if (text !== undefined) onChange(text.role);
      }}
    >
      <div className={styles.roles}>
        {roleTexts.map(({ role, label, description }) => (
          <Radio key={role} value={role} label={label} description={description} />
        ))}
      </div>
    </Radio.Group>
  );
}
