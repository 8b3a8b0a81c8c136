/** What a child is told to do: which steps, in which folder, and what shall go wrong. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './failpoints.ts'

export interface Order {
  readonly folder: string
  /** Names of the flow's steps. */
  readonly steps: readonly string[]
  readonly fault: Fault | null
  /** Name of a bug to put in. */
  readonly bug: string | null
  readonly manner: Manner
  /** Points at which it stops until it is told to go on, so that its disk can be copied as a power cut would leave it. */
  readonly stops?: readonly string[]
}

/**
 * plain: an answer that is an error ends the child. shown: likewise, and notes what stands after each step. patient:
 * calls again. yielding: takes an honest refusal for an answer and stops there. returning: calls as soon as the daemon
 * listens, and again what may have been done before.
 */
export type Manner = 'plain' | 'shown' | 'patient' | 'yielding' | 'returning'

/** No child lives longer. */
export const MAX_MS = 180_000

/** The child prints this when it hangs at its point. */
export const HANGING = 'hanging'

/** The child prints a line of this and the point's name when it stops there. */
export const STOPPING = 'stopping at '

export const dataIn = (folder: string): string => join(folder, 'data')

/**
 * Where the proxy's folder lies: in a `proxy` folder when the trial has one (a disk of its own, so that what is synced
 * for the database does not sync the routes file by accident), else in the data directory.
 */
export function worldIn(folder: string): string {
  const own = join(folder, 'proxy')
  return existsSync(own) ? own : dataIn(folder)
}

export const routesPath = (folder: string): string => join(worldIn(folder), 'traefik', 'routes.yml')

/** As an operator would set them; the port is any free one on loopback. */
export const environmentFor = (folder: string): Record<string, string> => ({
  PLUMBLINE_DATA_DIR: dataIn(folder),
  PLUMBLINE_ROUTES_FILE: routesPath(folder),
  PLUMBLINE_LISTEN: '127.0.0.1:0',
})
