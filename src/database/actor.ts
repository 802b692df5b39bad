/**
 * Software with a key, a person with a session, a command, or the service itself. A `stranger` is a person
 * whom an identity provider has signed in, but who was not let in.
 */
export type ActorKind =
  | 'merchant_key'
  | 'merchant_user'
  | 'operator_key'
  | 'operator'
  | 'stranger'
  | 'command'
  | 'service';

/** Who does something. People choose their names, so only the kind says what they are. */
export interface Actor {
  readonly kind: ActorKind;
  /** The key's ID, or the name and email of a person; empty for commands and the service. */
  readonly name: string;
  /** The ID of the request that does it. */
  readonly request?: string | undefined;
  /** The ID of the import that does it. A command that imports has one, too. */
  readonly import?: string | undefined;
}
