/** A drift that is made by hand: what it is told as, and what helps where the reconciler alone cannot. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { DriftCause } from '../../src/model/drift.ts'
import { good, type Worlds } from './five-worlds-house.ts'
import type { WORLDS } from './five-worlds-ways.ts'

export interface Drift {
  readonly title: string
  readonly world: keyof typeof WORLDS
  readonly item: (worlds: Worlds) => string
  readonly cause: DriftCause
  readonly spoil: (worlds: Worlds) => void | Promise<void>
  /** What only a person can do. Left out: the reconciler mends it alone. */
  readonly mend?: (worlds: Worlds) => Promise<void>
}

export const rewrite = (path: string, change: (text: string) => string): void => {
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  writeFileSync(path, changed)
}

/** Saves, and deploys nothing. */
export const put = (fields: object) => (worlds: Worlds) =>
  good(worlds.call, 'PUT', `/api/domains/${worlds.app_id}`, fields)
export const deploy = (worlds: Worlds) => good(worlds.call, 'POST', `/api/domains/${worlds.app_id}/deploy`)
/** What was saved is taken back. */
export const takeBack = (fields: object) => async (worlds: Worlds) => {
  await put(fields)(worlds)
  await deploy(worlds)
}
