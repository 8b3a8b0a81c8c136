/** The copy of a day: made beside the open store, tried, kept where it is sound, and good to start from. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isoTime } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { sqliteDailyCopies } from '../../../src/store/daily-copies.ts'
import { newestBackup } from '../../../src/store/files/backups.ts'
import { type OpenedStore, openStore } from '../../../src/store/open.ts'
import { layInstallation } from '../../kit/new-installation.ts'
import { movedClock } from '../../kit/moved-clock.ts'
import { named } from '../../contract/store/samples.ts'
import { newFolder } from '../../kit/new-folder.ts'

const DAY_MS = 24 * 3_600_000
const never = new AbortController().signal

let directory: string
let store: OpenedStore
const clock = movedClock()
beforeEach(async () => {
  directory = newFolder('copies')
  await layInstallation(directory, clock)
  store = await openStore({ directory, log: silentLog, clock })
})
afterEach(() => store.close())

const copies = (kept = 3) => sqliteDailyCopies({ directory, clock, kept })
const there = () => readdirSync(join(directory, 'backups')).toSorted()

it('has what was acknowledged, and a start takes it', async () => {
  await store.write((tx) => tx.insertDomain(named('kept.example.com'), clock.now()))
  await copies().make(never)
  const newest = copies().newest()!
  expect(there()).toEqual([expect.stringMatching(/^plumbline-daily-\d{8}T\d{9}Z\.db$/)])
  expect(newest).toMatchObject({ at: expect.any(Number), bytes: expect.any(Number) })
  expect(newestBackup(directory)).toBe(newest.path)
  const restored = join(directory, 'restored')
  mkdirSync(restored)
  cpSync(newest.path, join(restored, 'plumbline.db'))
  const again = await openStore({ directory: restored, log: silentLog, clock })
  expect(await again.domainByName('kept.example.com')).not.toBeNull()
  await again.close()
})

it('keeps the newest ones, those before a schema change apart, and those of an earlier installation; what bears a later time goes first', async () => {
  mkdirSync(join(directory, 'backups'))
  const others = [
    'plumbline-0007-20200101T000000000Z.db',
    'plumbline-daily-20200101T000000000Z.db',
    'notes.txt',
  ]
  const ahead = 'plumbline-daily-29991231T000000000Z.db'
  for (const name of [...others, ahead]) writeFileSync(join(directory, 'backups', name), 'x')
  const times: string[] = []
  for (let i = 0; i < 4; i++) {
    clock.step(DAY_MS)
    await copies().make(never)
    times.push(isoTime(copies().newest()!.at))
  }
  const own = times.slice(-3).map((time) => `plumbline-daily-${time.replaceAll(/[-:.]/g, '')}.db`)
  expect(there()).toEqual([...others, ...own].toSorted())
})

it('counts and keeps as many where the installation was made while its clock was ahead', async () => {
  clock.step(-400 * DAY_MS)
  for (let i = 0; i < 5; i++) {
    clock.step(DAY_MS)
    await copies().make(never)
    expect(clock.now() - copies().newest()!.at).toBeLessThan(DAY_MS / 2)
  }
  expect(there()).toHaveLength(3)
})

it('that is not sound is not kept, is told with the rule, and makes no earlier one go', async () => {
  await copies(1).make(never)
  const [first] = there()
  await store.write((tx) => tx.insertDomain(named('app.example.com'), clock.now()))
  const by_hand = new Database(join(directory, 'plumbline.db'))
  by_hand.exec('CREATE TABLE strangers (id INTEGER)')
  by_hand.close()
  clock.step(DAY_MS)
  await expect(copies(1).make(never)).rejects.toThrow(/not sound: schema_current: .*strangers/)
  expect(there()).toEqual([first])
})

it('of a database that is gone says so', async () => {
  rmSync(join(directory, 'plumbline.db'))
  await expect(copies().make(never)).rejects.toThrow(/could not be copied/)
})

it('whoever stops waiting leaves nothing behind', async () => {
  const stop = new AbortController()
  const making = copies().make(stop.signal)
  stop.abort(new Error('the daemon ends'))
  await expect(making).rejects.toThrow('the daemon ends')
  await copies().make(never)
  expect(there()).toHaveLength(1)
})
