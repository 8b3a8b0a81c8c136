/**
 * Of whom the looks of passes have told without a gap: whoever of them is missing is as they were last seen. Of anybody else who
 * is missing a hand may have made anything meanwhile: while nobody looked, as after a start or a suspension, or while nothing could
 * be read. They may have been disabled, so nobody knows that they are not.
 */
import type { Person } from '../records.ts'
import type { PeopleSeen } from './seen.ts'

export class Certainty {
  #usernames: ReadonlySet<string> = new Set()

  /** The people as they may be put back. */
  evaluated(seen: PeopleSeen): PeopleSeen {
    return { ...seen, people: seen.people.map((person) => this.#evaluatedOne(person, seen)) }
  }

  #evaluatedOne(person: Person, { users }: PeopleSeen): Person {
    const { username, written_at, disabled } = person
    const is_unknown = written_at !== null && !users.has(username) && !this.#usernames.has(username)
    return is_unknown && disabled === false ? { ...person, disabled: null } : person
  }

  /** A look of a pass whose findings are kept. */
  looked({ people, users }: PeopleSeen): void {
    const names = people.map(({ username }) => username)
    this.#usernames = new Set(names.filter((name) => users.has(name) || this.#usernames.has(name)))
  }

  /** What happens from now on until the next look is not seen. */
  interrupted(): void {
    this.#usernames = new Set()
  }
}
