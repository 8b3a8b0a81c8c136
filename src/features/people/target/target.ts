/** The users file as something that is kept true: of all its users only those are ours whom we invited or revoked. */
import { type Constant, constant } from '../../../engine/constant.ts'
import { fileTarget } from '../../../engine/file-target.ts'
import type { Difference, Target } from '../../../engine/target.ts'
import { OPENNESS, type Policy } from '../../../model/access/rule.ts'
import type { PeopleReader, Person } from '../records.ts'
import { applyChanges, type Hand } from './apply.ts'
import { Certainty } from './certainty.ts'
import type { Change } from './changes.ts'
import { isOfPeople, evaluate, type PeopleChange } from './diff.ts'
import { explainPeople } from './explain.ts'
import { type PeopleSeen, seePeople } from './seen.ts'

export interface PeopleHand extends Hand {
  /** Grows with every change of the people in the database. */
  readonly edition: () => number
  /** Who may open what; null where the rules of the SSO provider are not ours. */
  readonly policies: SitesAccess | null
  /** Keeps what the file says of ours, for when it is lost. False where that could not be kept. */
  readonly keep: (seen: PeopleSeen) => Promise<boolean>
}

export function peopleTarget(hand: PeopleHand): Target<Constant, PeopleSeen, PeopleChange> {
  const { file, documents } = hand
  const people = new SteadyPeople(hand.people, hand.edition)
  const certainty = new Certainty()
  const parts = { ...hand, people }
  return fileTarget<Constant, PeopleSeen, PeopleChange>({
    // The people themselves are read with each look.
    ...constant('database', 'the users file agrees with the database'),
    key: 'people',
    file,
    place: file.path,
    every_ms: 1_000,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: false,
    beside: { glance: () => people.edition()?.toString() ?? null },
    async observe(signal, ask) {
      const seen = await seePeople(parts, signal)
      const evaluated = seen.known ? { ...seen, state: certainty.evaluated(seen.state) } : seen
      if (ask?.is_pass !== true) return evaluated
      if (seen.known && isOfFile(seen.state) && (await hand.keep(seen.state))) certainty.looked(seen.state)
      else certainty.interrupted()
      return evaluated
    },
    passedOver: () => certainty.interrupted(),
    diff(_desired, seen) {
      const { file: of_file, differences } = evaluate(seen, file.path, documents)
      return [...of_file, ...differences]
    },
    obstacles: (_desired, seen) => evaluate(seen, file.path, documents).obstacles,
    opens: (_desired, seen) =>
      opensPeople(seen, evaluate(seen, file.path, documents).differences, hand.policies),
    async apply(differences, _desired, context) {
      const of_file = differences.filter((difference) => !isOfPeople(difference))
      if (of_file.some(({ payload }) => payload.kind === 'mode')) await file.restoreMode(context.signal)
      const whole_file = of_file.some(
        ({ payload }) => payload.kind === 'place' || payload.kind === 'spelling',
      )
      const repairs = await applyChanges(hand, differences.filter(isOfPeople), { ...context, whole_file })
      people.pin()
      return [...of_file.map(({ key }) => ({ key, ok: true as const })), ...repairs]
    },
    explain: (sides) => explainPeople(sides, file.path, documents),
  })
}

/** The file itself stands in its place and is read. */
const isOfFile = ({ is_closed, displaced }: PeopleSeen): boolean =>
  is_closed !== true && displaced === undefined

/**
 * The people as one pass sees them. People are invited and revoked while a pass is at work; whoever comes in between is
 * for the next one. So the look that follows a write compares with the very people that the write was for, or every
 * pass in a busy hour would find its world changed again.
 */
class SteadyPeople {
  readonly #store: Pick<PeopleReader, 'people'>
  readonly #edition: () => number
  #seen: { readonly people: readonly Person[]; readonly edition: number } | null = null
  #pinned = false

  /** @param edition grows with every change of the people */
  constructor(store: Pick<PeopleReader, 'people'>, edition: () => number) {
    this.#store = store
    this.#edition = edition
  }

  async people(): Promise<readonly Person[]> {
    if (this.#pinned && this.#seen !== null) {
      this.#pinned = false
      return this.#seen.people
    }
    const edition = this.#edition()
    const people = await this.#store.people()
    this.#seen = { people, edition }
    return people
  }

  /** A write was made for the people of the last look. */
  pin(): void {
    this.#pinned = true
  }

  /** The edition that was looked at last; null where there is a newer one. */
  edition(): number | null {
    const now = this.#edition()
    return this.#seen?.edition === now ? now : null
  }
}

// Whether the users file lets in more than the database says, judged by who may enter afterwards. Pure.
//
//   in the file                               lets in more
//   revoked, and not disabled                 yes
//   a group more                              yes: a rule may let it in, and a backend is told of it
//   a group less                              where a rule refuses the group to somebody whom it lets in else; always where
//                                             the rules are not ours to know
//   disabled, whatever the groups             no
//   nobody of that name                       no
//   closed against ourselves, or open to      yes
//     others by its mode
//   a link, a pipe, a folder in its place     yes: what its reader finds there cannot be told

/** Of one name: the first entry that fits decides, and nobody else gets in. */
interface SiteAccess {
  readonly access: readonly {
    readonly groups: readonly string[]
    readonly users: readonly string[]
    readonly policy: Policy
  }[]
}

/** By the name. */
export type SitesAccess = ReadonlyMap<string, SiteAccess>

/** @param policies null where the rules of the SSO provider are not ours */
export function opensPeople(
  seen: PeopleSeen,
  differences: readonly Difference<PeopleChange>[],
  policies: SitesAccess | null,
): boolean {
  if (seen.access?.opens === true || seen.is_closed === true || seen.displaced !== undefined) return true
  return differences.filter(isOfPeople).some(({ payload }) => letsInMore(payload, seen, policies))
}

function letsInMore(change: Change, { users }: PeopleSeen, policies: SitesAccess | null): boolean {
  if (change.kind !== 'regroup') return change.kind === 'disable'
  const { person, before: theirs } = change
  const { username } = person
  if (users.get(username)?.disabled === true) return false
  const ours = person.groups ?? []
  if (theirs.some((group) => !ours.includes(group)) || policies === null) return true
  const [found, wanted] = [
    { username, groups: theirs },
    { username, groups: ours },
  ]
  return [...policies.values()].some(
    (policy) => OPENNESS[policyFor(found, policy)] > OPENNESS[policyFor(wanted, policy)],
  )
}

interface Somebody {
  readonly username: string
  readonly groups: readonly string[]
}

const policyFor = ({ username, groups }: Somebody, { access }: SiteAccess): Policy =>
  access.find((entry) => entry.users.includes(username) || entry.groups.some((one) => groups.includes(one)))
    ?.policy ?? 'deny'
