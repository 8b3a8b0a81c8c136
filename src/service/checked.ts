/** What systemd itself says of units (systemd-analyze(1)), before they are put where it reads them. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemErrorCode } from '../kernel/failure.ts'
import { SERVICE, type UnitFile } from './unit.ts'

export interface Verdict {
  /** What `systemd-analyze verify` complained of, as it says it; nothing where it is content. */
  readonly complaints: readonly string[]
  /** How much of the system a taken-over daemon could reach, from 0 (nothing) to 10; null where it does not say. */
  readonly exposure: number | null
}

const MOST_MS = 30_000

/** Null where there is no systemd-analyze to ask. */
export async function checkUnits(units: readonly UnitFile[]): Promise<Verdict | null> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-unit-'))
  try {
    const paths = units.map(({ name }) => join(folder, name))
    for (const [i, path] of paths.entries()) writeFileSync(path, units[i]!.text)
    const verified = await analyze(['verify', '--man=no', ...paths])
    const weighed = await analyze(['security', '--offline=true', '--no-pager', join(folder, SERVICE)])
    if (verified === null || weighed === null) return null
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(weighed)?.[1]
    return {
      complaints: verified
        .split('\n')
        .map((line) => line.replaceAll(`${folder}/`, '').trim())
        .filter((line) => line !== ''),
      exposure: exposure === undefined ? null : Number(exposure),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const run = promisify(execFile)

/** All that it says, whatever its exit code. */
async function analyze(words: readonly string[]): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C', NO_COLOR: '1' }
  try {
    const { stdout, stderr } = await run('systemd-analyze', words, { env, timeout: MOST_MS })
    return stdout + stderr
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return stdout + stderr || String(error)
  }
}
