/** A restart command of a test's own: a script that does its work, or what it is told instead, and counts how often. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MoodyRestart {
  /** For `PLUMBLINE_SSO_RESTART`. */
  readonly setting: string
  /** What the next ones do, as lines of a shell; `restart` is the true one. */
  does(lines: string): void
  /** When each began, in milliseconds since 1970. */
  begun(): readonly number[]
  /** The processes that ran it, those that are alive still. */
  alive(): readonly number[]
}

export function moodyRestart(folder: string, words: () => readonly string[]): MoodyRestart {
  const script = join(folder, 'restart.sh')
  const log = join(folder, 'restarts.log')
  const lines = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(' ').map(Number))
      : []
  return {
    setting: `command:/bin/sh ${script}`,
    does(mood) {
      const restart = `restart() { ${words().join(' ')}; }`
      // By rename: a shell reads its script while it runs.
      writeFileSync(`${script}.new`, `echo "$(date +%s%3N) $$" >> ${log}\n${restart}\n${mood}\n`)
      renameSync(`${script}.new`, script)
    },
    begun: () => lines().map(([at]) => at!),
    alive: () => lines().flatMap(([, pid]) => (isAlive(pid!) ? [pid!] : [])),
  }
}

/** A dead one whose parent has not looked yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
