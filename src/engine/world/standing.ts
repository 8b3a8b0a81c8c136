/** How the database stands against each place of the world, and how that is said. */
import { Failure } from '../../kernel/failure.ts'
import { REMEDY } from '../../model/undecided.ts'
import type { WorldStamp } from '../../model/world-stamp.ts'

export interface WorldSide {
  readonly world: string
  readonly place: string
  readonly stamp: WorldStamp
}

export interface WorldStanding {
  /** Nothing is written outside until a person decides. */
  readonly waiting: boolean
  /** Of the newest change in the database. */
  readonly database_number: number
  /** All numbers beside our own id that were seen. */
  readonly worlds: readonly (WorldSide & { readonly ahead: boolean })[]
}

export interface UnreadableHolder {
  readonly world: string
  readonly place: string
  /** Says what keeps it from being read, and the remedy. */
  readonly failure: Failure
}

export function olderThanWorld(standing: WorldStanding): Failure {
  const { database_number, worlds } = standing
  const ahead = worlds.filter((side) => side.ahead)
  const shown = ahead.map(({ world, place, stamp }) => `${world} (${place}) is at change ${stamp.number}`)
  return new Failure(
    'restored_from_backup',
    `The world is newer than this database: ${shown.join(', ')}, the database is at change ${database_number}` +
      `${ahead.some(({ stamp }) => stamp.number <= database_number) ? ' on another history' : ''}. ` +
      'It was restored from a backup or has lost changes, so nothing is written outside until somebody decides: ' +
      `${REMEDY}.`,
    { facts: presentedStanding(standing) },
  )
}

export const mayBeOlder = (cause: Failure): Failure =>
  new Failure('component_unavailable', `This database may be older than the world. ${cause.message}`, {
    cause,
  })

/** Both sides, for people. */
export const presentedStanding = ({ waiting, database_number, worlds }: WorldStanding) => ({
  waiting,
  database_number,
  worlds: worlds.map(({ world, place, stamp, ahead }) => ({ world, place, number: stamp.number, ahead })),
})
