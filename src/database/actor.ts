/** Who does something: software with a key, a person with a session, a command, or the service itself. */
export interface Actor {
  readonly kind: 'merchant_key' | 'merchant_user' | 'operator_key' | 'operator' | 'command' | 'service';
  /** The key's ID, or the name and email of a person; empty for commands and the service. */
  readonly name: string;
}
