/** Bugs below the store's port, where no wrapper leads: they spoil the library for the whole process, a child's. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'

type Pragma = typeof Database.prototype.pragma
type Exec = typeof Database.prototype.exec

/** It lies to the store's own check. */
export function commitsWithoutSync(): void {
  const honest = Object.getOwnPropertyDescriptor(Database.prototype, 'pragma')!.value as Pragma
  Database.prototype.pragma = function (this: Database.Database, source, options) {
    if (source === 'synchronous') return 2
    return honest.call(this, source === 'synchronous = FULL' ? 'synchronous = NORMAL' : source, options)
  }
}

const SLOW_DISK_MS = 1_500

/** The kernel's lock gives way to a file that names the holder: between the look at it and the word in it lies time. */
export function locksByPidFile(): void {
  const honest = Object.getOwnPropertyDescriptor(Database.prototype, 'exec')!.value as Exec
  Database.prototype.exec = function (this: Database.Database, sql) {
    if (sql !== 'BEGIN EXCLUSIVE' || !this.name.endsWith('lock.db')) return honest.call(this, sql)
    const path = `${this.name}.pid`
    if (existsSync(path) && isAlive(Number(readFileSync(path, 'utf8'))))
      throw Object.assign(new Error('held'), { code: 'SQLITE_BUSY' })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_DISK_MS)
    writeFileSync(path, String(process.pid))
    return this
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
