/**
 * What is wanted of the users file: that it agrees with the people in the database. That sentence is the same whatever
 * domains there are, so releases freeze nothing but it; the people themselves are read with each look.
 */
import type { Codec } from '../../../engine/target.ts'
import { sha256 } from '../../../kernel/digest.ts'

export const PEOPLE_KEY = 'people'

export interface PeopleDesired {
  readonly agrees_with: 'database'
}

export const PEOPLE_DESIRED: PeopleDesired = { agrees_with: 'database' }

const BYTES = Buffer.from('the users file agrees with the database\n')

export const peopleCodec: Codec<PeopleDesired> = {
  freeze: () => ({ digest: sha256([BYTES]), chunks: [BYTES] }),
  thaw: () => PEOPLE_DESIRED,
}
