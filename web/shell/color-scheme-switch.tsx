import { useMantineColorScheme } from '@mantine/core';
import { useId } from 'react';
import { IconDeviceDesktop, IconMoon, IconSun } from '../ui/icons.ts';
import styles from './navigation.module.css';

const choices = [
  { value: 'light', name: 'Light', Icon: IconSun },
  { value: 'dark', name: 'Dark', Icon: IconMoon },
  { value: 'auto', name: 'System', Icon: IconDeviceDesktop },
] as const;

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useId();
  return (
    <fieldset className={styles.scheme}>
      <legend className="visually-hidden">Theme</legend>
      {choices.map(({ value, name: label, Icon }) => (
        <label key={value} className={styles.choice} title={label}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={16} />
          <span className="visually-hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
