import { AcmeError } from './errors.ts';

/** A JSON object of the authority. */
export class Resource {
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(value: unknown) {
    this.#members = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  }

  /** @throws {AcmeError} if the text is no JSON */
  static parse(text: string): Resource {
    try {
      return new Resource(JSON.parse(text));
    } catch (error) {
      throw new AcmeError('unreachable', 'the authority sent no JSON', { cause: error });
    }
  }

  /** @throws {AcmeError} if the member is missing */
  text(name: string): string {
    const value = this.textIfAny(name);
    if (value !== null) return value;
    throw new AcmeError('unreachable', `the authority sent an object without "${name}"`);
  }

  textIfAny(name: string): string | null {
    const value = this.#members.get(name);
    return typeof value === 'string' ? value : null;
  }

  texts(name: string): string[] {
    return this.#list(name).filter((each) => typeof each === 'string');
  }

  /** An empty one if there is no such member. */
  object(name: string): Resource {
    return new Resource(this.#members.get(name));
  }

  objects(name: string): Resource[] {
    return this.#list(name).map((each) => new Resource(each));
  }

  #list(name: string): unknown[] {
    const value = this.#members.get(name);
    return Array.isArray(value) ? value : [];
  }
}
