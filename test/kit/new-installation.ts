/**
 * The data directory of a new installation as the program makes it, made once in each worker and copied from then on, with
 * an identity, a secret and dates of its own: the migrations are no test's subject but their own tests'.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../src/store/open.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { systemErrorCode } from '../../src/kernel/failure.ts'
import { silentLog } from '../../src/kernel/log.ts'

interface Pattern {
  readonly database: Buffer
  readonly ballast: string
}

let pattern: Promise<Pattern> | null = null

/** Unless there is one, or was. It was made this moment by the clock. */
export async function layInstallation(directory: string, clock: Clock = systemClock): Promise<void> {
  if (['plumbline.db', 'installation.json'].some((name) => existsSync(join(directory, name)))) return
  pattern ??= makePattern()
  const { database, ballast } = await pattern
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'plumbline.db')
  writeFileSync(path, database, { mode: 0o600, flag: 'wx' })
  link(ballast, join(directory, 'ballast'))
  const connection = new Database(path)
  const renew = connection.prepare('UPDATE meta SET value = ? WHERE key = ?')
  renew.run(randomUUID(), 'installation_id')
  renew.run(randomBytes(32).toString('hex'), 'holder_secret')
  renew.run(String(clock.now()), 'created_at')
  connection.prepare('UPDATE migrations SET applied_at = ?').run(clock.now())
  connection.close()
}

/** It is only ever made and removed as a whole, so one file serves all; on another file system each makes its own. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV' && systemErrorCode(error) !== 'EEXIST') throw error
  }
}

async function makePattern(): Promise<Pattern> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-new-'))
  const store = await openStore({ directory, log: silentLog, clock: systemClock })
  await store.close()
  return { database: readFileSync(join(directory, 'plumbline.db')), ballast: join(directory, 'ballast') }
}
