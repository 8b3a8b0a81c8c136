/** An estate whose database is set back while its world stays, in each of the ways in which that happens. */
import { createHmac } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import type { Client } from './client.ts'
import { create, type TestHouse } from './test-house.ts'

export const WAYS = ['backup', 'copied_alone', 'log_cut', 'log_removed'] as const
export type Way = (typeof WAYS)[number]

const NAMES = ['plumbline.db', 'plumbline.db-wal', 'plumbline.db-shm']

/** A state of the database to which it can be set back. */
export interface Earlier {
  /** While the daemon still works, as it stands when it is killed. */
  die(): void
  /** Puts it there. The daemon must be down. */
  setBack(): void
  [Symbol.dispose](): void
}

/**
 * Remembers the state as it is now, so far as the way goes: a backup as the program makes it, the database's file without
 * its log, or what is left when the log is cut to the length that it has now, or removed.
 * @param survives a change that is in the log when it is cut
 */
export async function keepEarlier(
  directory: string,
  way: Way,
  survives: () => Promise<unknown>,
): Promise<Earlier> {
  const kept = mkdtempSync(join(tmpdir(), 'plumbline-earlier-'))
  const path = join(directory, 'plumbline.db')
  const copy = join(kept, 'plumbline.db')
  if (way !== 'log_cut') await survives()
  const beside = new Database(path)
  if (way === 'backup') beside.prepare('VACUUM INTO ?').run(copy)
  // Busy as long as the daemon reads or writes: the file would lack what the log still has.
  else while (beside.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0) await sleep(20)
  // As long as somebody reads this state, no checkpoint carries what comes after into the file. The daemon makes one after each
  // commit that took long, which on a busy machine is any.
  if (way === 'log_cut' || way === 'log_removed') beside.exec('BEGIN; SELECT count(*) FROM meta')
  else beside.close()
  if (way === 'log_cut') await survives()
  if (way === 'copied_alone') copyFileSync(path, copy)
  const length = statSync(`${path}-wal`).size
  return {
    die() {
      if (way !== 'log_cut' && way !== 'log_removed') return
      copyFileSync(path, copy)
      if (way === 'log_cut') {
        copyFileSync(`${path}-wal`, `${copy}-wal`)
        // In the middle of the first frame that came after.
        truncateSync(`${copy}-wal`, length + 100)
      }
      beside.close()
    },
    setBack() {
      for (const name of NAMES) {
        rmSync(join(directory, name), { force: true })
        if (existsSync(join(kept, name))) copyFileSync(join(kept, name), join(directory, name))
      }
    },
    [Symbol.dispose]() {
      beside.close()
      rmSync(kept, { recursive: true, force: true })
    },
  }
}

/** Everything below the folders but the database: bytes, inode and times of each file. */
export function outsideOf(folders: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const walk = (folder: string) => {
    for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) walk(path)
      else {
        const { ino, mtimeNs } = lstatSync(path, { bigint: true })
        files.set(path, `${ino} ${mtimeNs} ${readFileSync(path).toString('latin1')}`)
      }
    }
  }
  for (const folder of folders) walk(folder)
  return files
}

interface Signer {
  readonly installation_id: string
  readonly sign: (text: string) => string
}

/** Who the installation is and how it signs, as only its database says it. */
export function installationIn(directory: string): Signer {
  const db = new Database(join(directory, 'plumbline.db'), { readonly: true })
  const value = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck()
  const [installation_id, secret] = [value.get('installation_id')!, value.get('holder_secret')!]
  db.close()
  return { installation_id, sign: (text) => createHmac('sha256', secret).update(text).digest('hex') }
}

/** Calls whose answer must be a good one, at the house that is there then. */
export const goodAt =
  (at: () => { readonly call: Client }) => async (method: string, path: string, body?: object) => {
    const answer = await at().call(method, path, body === undefined ? {} : { body })
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }

/** Killed as it stands, and started again over the earlier database. */
export async function setBackTo(earlier: Earlier, at: TestHouse): Promise<TestHouse> {
  earlier.die()
  await at.house.close()
  earlier.setBack()
  return at.reopen()
}

/** The same over the database as it was before `changes`. */
export async function setBackBefore(at: TestHouse, changes: () => Promise<unknown>): Promise<TestHouse> {
  using earlier = await keepEarlier(at.directory, 'backup', () =>
    create(at.call, { domain: 'survives.example.com' }),
  )
  await changes()
  return await setBackTo(earlier, at)
}
