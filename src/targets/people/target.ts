/** The users file as something that is kept true: of all its users only those are ours whom we invited or revoked. */
import type { Target } from '../../engine/target.ts'
import type { Change } from './changes.ts'
import { applyChanges, type Hand } from './apply.ts'
import { PEOPLE_DESIRED, PEOPLE_KEY, peopleCodec, type PeopleDesired } from './desire.ts'
import { judge } from './diff.ts'
import { explainPeople } from './explain.ts'
import { type PeopleSeen, seePeople } from './seen.ts'
import { SteadyPeople } from './steady-people.ts'

export interface PeopleHand extends Hand {
  /** Grows with every change of the people in the database. */
  readonly edition: () => number
}

export function peopleTarget(hand: PeopleHand): Target<PeopleDesired, PeopleSeen, Change> {
  const { file, documents } = hand
  const people = new SteadyPeople(hand.people, hand.edition)
  const sight = { ...hand, people }
  return {
    name: PEOPLE_KEY,
    key: PEOPLE_KEY,
    artifact: PEOPLE_KEY,
    constant: true,
    every_ms: 1_000,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, most_ms: 60_000 },
    whole: false,
    place: file.path,
    reads: [],
    desire: () => PEOPLE_DESIRED,
    codec: peopleCodec,
    glance() {
      const stamp = file.glance()
      const edition = people.edition()
      return stamp === null || edition === null ? null : `${stamp}/${edition}`
    },
    observe: (signal) => seePeople(sight, signal),
    diff: (_desired, seen) => judge(seen, file.path, documents).differences,
    obstacles: (_desired, seen) => judge(seen, file.path, documents).obstacles,
    concerns: () => false,
    async apply(differences, _desired, context) {
      const repairs = await applyChanges(hand, differences, context)
      people.pin()
      return repairs
    },
    explain: (sides) => explainPeople(sides, file.path, documents),
    watch: (hint) => file.watch(hint),
  }
}
