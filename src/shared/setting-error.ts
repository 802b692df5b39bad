/** The message names the setting, what was expected, and the value unless it could contain a secret. */
export class SettingError extends Error {
  override name = 'SettingError';
}
