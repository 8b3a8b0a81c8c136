/** How the database stands against the world, in words. */
import { describe, expect, it } from 'vitest'
import {
  mayBeOlder,
  olderThanWorld,
  presentedStanding,
  type WorldStanding,
} from '../../../src/engine/world/standing.ts'
import { Failure } from '../../../src/kernel/failure.ts'

const side = (world: string, number: number, ahead: boolean) => ({
  world,
  place: `/srv/${world}`,
  stamp: { installation_id: 'ours', number, mark: 'aa' },
  ahead,
})
const standing = (...worlds: WorldStanding['worlds']): WorldStanding => ({
  waiting: true,
  database_number: 5,
  worlds,
})

describe('a world that is newer', () => {
  it.each<[what: string, worlds: WorldStanding['worlds'], beginning: string]>([
    [
      'is told with its number and ours',
      [side('routes', 9, true), side('dns', 4, false)],
      'The world is newer than this database: routes (/srv/routes) is at change 9, the database is at change 5. It was',
    ],
    [
      'is told at each place of it',
      [side('routes', 9, true), side('keys', 7, true)],
      'The world is newer than this database: routes (/srv/routes) is at change 9, keys (/srv/keys) is at change 7, ' +
        'the database is at change 5. It was',
    ],
    [
      'by a number that ours has passed is of another history',
      [side('routes', 5, true)],
      'The world is newer than this database: routes (/srv/routes) is at change 5, the database is at change 5 on another ' +
        'history. It was',
    ],
    [
      'by one number that ours has passed is of another history',
      [side('routes', 4, true), side('keys', 7, true)],
      'The world is newer than this database: routes (/srv/routes) is at change 4, keys (/srv/keys) is at change 7, ' +
        'the database is at change 5 on another history. It was',
    ],
  ])('%s', (_what, worlds, beginning) => {
    const failure = olderThanWorld(standing(...worlds))
    expect(failure.code).toBe('restored_from_backup')
    expect(failure.message.startsWith(beginning), failure.message).toBe(true)
    expect(failure.details.facts).toEqual(presentedStanding(standing(...worlds)))
  })

  it('is shown side by side, without marks and ids', () => {
    expect(presentedStanding(standing(side('routes', 9, true)))).toEqual({
      waiting: true,
      database_number: 5,
      worlds: [{ world: 'routes', place: '/srv/routes', number: 9, ahead: true }],
    })
  })
})

it('a world that cannot be read may be newer, and the reason is told', () => {
  const cause = new Failure('storage_unwritable', 'No such folder.')
  const failure = mayBeOlder(cause)
  expect(failure).toMatchObject({
    code: 'component_unavailable',
    message: 'This database may be older than the world. No such folder.',
    cause,
  })
})
