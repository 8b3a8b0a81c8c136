/** The users file as something that is kept true: of all its users only those are ours whom we invited or revoked. */
import { fileTarget } from '../../../engine/file-target.ts'
import type { Target } from '../../../engine/target.ts'
import { applyChanges, type Hand } from './apply.ts'
import { PEOPLE_DESIRED, PEOPLE_KEY, peopleCodec, type PeopleDesired } from './desire.ts'
import { isOfPeople, judge, type PeopleDeed } from './diff.ts'
import { explainPeople } from './explain.ts'
import { opensPeople, type SitesAccess } from './opens.ts'
import { type PeopleSeen, seePeople } from './seen.ts'
import { SteadyPeople } from './steady-people.ts'

export interface PeopleHand extends Hand {
  /** Grows with every change of the people in the database. */
  readonly edition: () => number
  /** Who may open what; null where the rules of the SSO provider are not ours. */
  readonly policies: SitesAccess | null
}

export function peopleTarget(hand: PeopleHand): Target<PeopleDesired, PeopleSeen, PeopleDeed> {
  const { file, documents } = hand
  const people = new SteadyPeople(hand.people, hand.edition)
  const sight = { ...hand, people }
  return fileTarget<PeopleDesired, PeopleSeen, PeopleDeed>({
    key: PEOPLE_KEY,
    file,
    place: file.path,
    constant: true,
    every_ms: 1_000,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, most_ms: 60_000 },
    whole: false,
    reads: [],
    desire: () => PEOPLE_DESIRED,
    codec: peopleCodec,
    beside: { glance: () => people.edition()?.toString() ?? null },
    observe: (signal) => seePeople(sight, signal),
    diff(_desired, seen) {
      const { file: of_file, differences } = judge(seen, file.path, documents)
      return [...of_file, ...differences]
    },
    obstacles: (_desired, seen) => judge(seen, file.path, documents).obstacles,
    opens: (_desired, seen) =>
      opensPeople(seen, judge(seen, file.path, documents).differences, hand.policies),
    concerns: () => false,
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
