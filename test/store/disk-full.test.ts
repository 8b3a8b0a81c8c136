/** A disk that is full or read-only: said clearly, nothing half-saved, and well again by itself. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { eachScratch } from './scratch.ts'

const PROGRAM = fileURLToPath(new URL('processes/fill-disk.ts', import.meta.url))
const SCRIPT = 'mount -t tmpfs -o size=4m tmpfs "$1" && exec "$2" "$3" "$1"'
const scratch = eachScratch()

/** A mount namespace of our own: as root directly, else inside a user namespace, where the machine allows either. */
const UNSHARE = 'unshare'
const namespace = [['-m'], ['-Urm']].find(
  (flags) => spawnSync(UNSHARE, [...flags, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0,
)

interface Told {
  readonly code: string
  readonly message: string
}

interface Seen {
  readonly acknowledged: number
  readonly full: Told | null
  readonly when_full: { rows: number; remembered: number }
  readonly still_full: Told | null
  readonly after_space: Told | null
  readonly reopened: { rows: number; remembered: number }
  readonly open_on_full: Told | null
  readonly open_on_read_only: Told | null
  readonly new_on_read_only: Told | null
}

describe.skipIf(namespace === undefined)('on a small disk (needs unshare and tmpfs)', () => {
  test('a full disk loses nothing acknowledged and heals; a read-only one is named', async () => {
    const mount = scratch.directory()
    const { stdout } = await promisify(execFile)(UNSHARE, [
      ...namespace!,
      'sh',
      '-c',
      SCRIPT,
      'sh',
      mount,
      process.execPath,
      PROGRAM,
    ])
    const seen = JSON.parse(stdout) as Seen
    const database = `${mount}/data/plumbline.db`
    expect(seen.full).toMatchObject({ code: 'storage_full' })
    expect(seen.full?.message).toContain(database)
    expect(seen.full?.message).toContain('free space')
    const before_space = 2 * (seen.acknowledged - 1)
    expect(seen.acknowledged).toBeGreaterThan(100)
    expect(seen.when_full).toEqual({ rows: before_space, remembered: before_space })
    expect(seen.still_full).toMatchObject({ code: 'storage_full' })
    expect(seen.after_space).toBeNull()
    expect(seen.reopened).toEqual({ rows: before_space + 2, remembered: before_space + 2 })
    expect(seen.open_on_full).toMatchObject({ code: 'storage_full' })
    expect(seen.open_on_read_only).toMatchObject({ code: 'storage_unwritable' })
    expect(seen.open_on_read_only?.message).toContain(database)
    expect(seen.new_on_read_only).toMatchObject({ code: 'storage_unwritable' })
  })
})
