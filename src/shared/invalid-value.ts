export class InvalidValue {
  /** What was expected, and perhaps what was found. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
