/** SQL by another process, as a person has it run: a connection of this one would give its locks away at its end. */
import { execFileSync } from 'node:child_process'

const SCRIPT = `
  const Database = require('better-sqlite3')
  const db = new Database(process.argv[1])
  db.pragma('busy_timeout = 5000')
  db.exec(process.argv[2])
  db.close()`

export function sqlElsewhere(path: string, sql: string): void {
  execFileSync(process.execPath, ['-e', SCRIPT, path, sql])
}
