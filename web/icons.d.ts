/** A Tabler icon, provided by icons-plugin.ts. */
declare module 'virtual:tabler/*' {
  const icon: import('./ui/create-icon.tsx').Icon;
  export default icon;
}
