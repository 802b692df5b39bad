import { Radio } from '@mantine/core';
import styles from './team.module.css';

interface Props<Role extends string> {
  roles: readonly { role: Role; label: string; description: string }[];
  value: Role;
  onChange: (role: Role) => void;
}

/** A choice of a role, with what each one can do. */
export function RoleChoice<Role extends string>({ roles, value, onChange }: Props<Role>) {
  return (
    <Radio.Group
      label="Role"
      value={value}
      onChange={(chosen) => {
        const text = roles.find(({ role }) => role === chosen);
        if (text !== undefined) onChange(text.role);
      }}
    >
      <div className={styles.roles}>
        {roles.map(({ role, label, description }) => (
          <Radio key={role} value={role} label={label} description={description} />
        ))}
      </div>
    </Radio.Group>
  );
}
