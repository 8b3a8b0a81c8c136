/**
 * A damaged file is refused, or it does not matter. Bounded and seeded: the same damage every time.
 *
 * What no check of SQLite can see is a flipped bit inside a stored text: the row is whole and says something else. In a
 * saved record its digest tells; in other tables such a value is shown like any other.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Failure, type FailureCode } from '../../src/kernel/failure.ts'
import { FIELD_NAMES } from '../../src/model/domain/record.ts'
import type { IntentRow } from '../../src/model/intent.ts'
import type { Store } from '../../src/ports/store.ts'
import { failureOf, release } from '../contract/store/opened.ts'
import { movedIn, named } from '../contract/store/samples.ts'
import { eachScratch } from './scratch.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { TIER } from '../kit/tier.ts'

const scratch = eachScratch()
const FLIPS = TIER === 'nightly' ? 1200 : 120
const DOMAINS = 30

let origin: string
let bytes: Buffer
let sound: Awaited<ReturnType<typeof everythingIn>>

beforeEach(async () => {
  origin = scratch.directory()
  const store = await scratch.open(origin)
  const records = await store.write((tx) =>
    Promise.all(Array.from({ length: DOMAINS }, (_, i) => tx.insertDomain(named(`n${i}.example.com`), 1000))),
  )
  const chunks = [Buffer.alloc(3000, 'a'), Buffer.alloc(9000, 'b')]
  await release(store, records.map(movedIn), { routes: { digest: 'd', chunks } })
  sound = await everythingIn(store)
  await store.close()
  bytes = readFileSync(join(origin, 'plumbline.db'))
})

const everythingIn = async (store: Store) => ({
  working: (await store.intent('working')).rows,
  released: (await store.intent('released')).rows,
  routes: await store.artifact('routes'),
  head: await store.latestRelease(),
  page: await store.domains({ sort: 'id', limit: 1000 }),
})

/** Puts the bytes in place of the database of the same installation. */
function withDatabase(content: Buffer): string {
  const directory = scratch.directory()
  copyFileSync(join(origin, 'installation.json'), join(directory, 'installation.json'))
  writeFileSync(join(directory, 'plumbline.db'), content)
  return directory
}

test.each<[string, (good: Buffer) => Buffer]>([
  ['cut in the middle of a page', (good) => good.subarray(0, good.length / 2 + 100)],
  ['cut at a page', (good) => good.subarray(0, 4096 * 3)],
  ['cut to one page', (good) => good.subarray(0, 4096)],
  ['cut to its head', (good) => good.subarray(0, 100)],
  ['all zero', (good) => Buffer.alloc(good.length)],
  ['zero from its second page on', (good) => Buffer.concat([good.subarray(0, 4096)], good.length)],
  ['with one page of zeros', (good) => Buffer.from(good).fill(0, 8192, 12_288)],
  ['with two pages exchanged', (good) => exchange(good, 2, 3)],
  ['garbage', (good) => Buffer.alloc(good.length, 'garbage ')],
  ['garbage behind a good head', (good) => Buffer.from(good).fill('garbage ', 100)],
  ['a text', () => Buffer.from('id,domain\n1,app.example.com\n')],
])('a database that is %s is refused, named, and left as it is', async (_, damage) => {
  const damaged = damage(bytes)
  const directory = withDatabase(damaged)
  mkdirSync(join(directory, 'backups'))
  const backup = join(directory, 'backups', 'plumbline-0001-20260101T000000000Z.db')
  writeFileSync(backup, '')
  const failure = await failureOf(scratch.open(directory), 'database_corrupt')
  expect(failure.message).toContain(`${join(directory, 'plumbline.db')} is damaged`)
  expect(failure.message).toContain(`copy ${backup} to plumbline.db`)
  expect(readFileSync(join(directory, 'plumbline.db')).equals(damaged)).toBe(true)
})

test('broken references are damage', async () => {
  const raw = scratch.raw(origin)
  raw.pragma('foreign_keys = OFF')
  raw.exec('DELETE FROM releases')
  raw.close()
  const failure = await failureOf(scratch.open(origin), 'database_corrupt')
  expect(failure.message).toContain('broken references')
})

itInDepth(`of ${FLIPS} single flipped bits none crashes, loses a row or alters released bytes`, async () => {
  const verdicts = { refused: 0, harmless: 0, altered: 0 }
  for (let i = 0; i < FLIPS; i++) verdicts[await verdictOn(flip(bytes, i))]++
  expect(verdicts.refused).toBeGreaterThan(0)
  expect(verdicts.harmless).toBeGreaterThan(0)
  expect(verdicts.altered).toBeLessThan(FLIPS / 10)
})

/** A bit in the name or the digest of an applied migration looks like another program's schema, and is refused as such. */
const REFUSALS: readonly FailureCode[] = ['database_corrupt', 'schema_too_new']

async function verdictOn(content: Buffer): Promise<keyof { refused: 0; harmless: 0; altered: 0 }> {
  try {
    const store = await scratch.open(withDatabase(content))
    const found = await everythingIn(store)
    expect(found.routes).toEqual(sound.routes)
    expect(found.page.total).toBe(DOMAINS)
    for (const side of ['working', 'released'] as const) {
      // A bit in a released name moves its row: the rows are ordered by name.
      expect(idsOf(found[side])).toEqual(idsOf(sound[side]))
      for (const { fields } of found[side])
        expect(Object.keys(fields).sort()).toEqual([...FIELD_NAMES].sort())
    }
    expect(fieldsIn(found.working)).toEqual(fieldsIn(sound.working))
    return JSON.stringify(found) === JSON.stringify(sound) ? 'harmless' : 'altered'
  } catch (error) {
    if (error instanceof Failure && REFUSALS.includes(error.code)) return 'refused'
    throw error
  }
}

const fieldsIn = (rows: readonly IntentRow[]) => new Map(rows.map((row) => [row.domain_id, row.fields]))

const idsOf = (rows: readonly { readonly domain_id: number }[]): number[] =>
  rows.map(({ domain_id }) => domain_id).toSorted((a, b) => a - b)

/** Spread over the file by a stride that is coprime to its length. */
function flip(good: Buffer, i: number): Buffer {
  const flipped = Buffer.from(good)
  const at = (i * 7919 * 17) % good.length
  flipped[at] = flipped[at]! ^ (1 << (i % 8))
  return flipped
}

function exchange(good: Buffer, a: number, b: number): Buffer {
  const pages = Array.from({ length: good.length / 4096 }, (_, i) => good.subarray(i * 4096, (i + 1) * 4096))
  ;[pages[a], pages[b]] = [pages[b]!, pages[a]!]
  return Buffer.concat(pages)
}
