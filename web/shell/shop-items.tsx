import { Menu } from '@mantine/core';
import { openOverlay, paletteText } from '../palette/shortcuts.ts';
import { useSession } from '../session/session.ts';
import { useSwitchShop } from '../session/switch-shop.ts';
import { IconSwitchHorizontal } from '../ui/icons.ts';

/** More shops are found with the palette. */
const MAX_ITEMS = 5;

/** Items of the account menu that open the user's other shops. */
export function ShopItems() {
  const { merchant, shops } = useSession();
  const switchShop = useSwitchShop();
  const others = shops.filter(({ id }) => id !== merchant.id);
  if (others.length === 0) return null;
  const icon = <IconSwitchHorizontal size={16} />;
  if (others.length > MAX_ITEMS) {
    const find = (): void => {
      paletteText.set('Switch to ');
      openOverlay.set('palette');
    };
    return (
      <>
        <Menu.Item leftSection={icon} onClick={find}>
          Switch shop…
        </Menu.Item>
        <Menu.Divider />
      </>
    );
  }
  return (
    <>
      <Menu.Label>Switch to</Menu.Label>
      {others.map(({ id, name }) => (
        <Menu.Item
          key={id}
          aria-label={`Switch to ${name}`}
          leftSection={icon}
          onClick={() => void switchShop(id)}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
