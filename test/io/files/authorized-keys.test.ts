/** An `authorized_keys` file on this host keeps the port's contract, and its owner. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { authorizedKeysFile } from '../../../src/features/ssh-clients/files/authorized-keys.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { authorizedKeysContract } from '../../contract/authorized-keys.ts'
import { IS_ROOT } from './machine.ts'
import { namesIn, never, scratch, until } from './scratch.ts'
import { byTier } from '../../kit/tier.ts'
import { itInDepth } from '../../kit/in-depth.ts'

describe('the contract', () => {
  authorizedKeysContract(() => {
    const path = join(scratch(), '.ssh', 'authorized_keys')
    mkdirSync(dirname(path))
    return { file: authorizedKeysFile(path, { log: silentLog }), path }
  })
})

it('an edit is heard of', async () => {
  const path = join(scratch(), 'authorized_keys')
  const file = authorizedKeysFile(path, { log: silentLog })
  let hints = 0
  const watch = file.watch(() => void hints++)
  writeFileSync(path, '# edited\n')
  await until(() => hints > 0)
  watch.close()
})

const NOBODY = 65_534
const CHILD = join(import.meta.dirname, 'children', 'replace-keys.ts')
const FOREVER = join(import.meta.dirname, 'children', 'keys-forever.ts')

describe.skipIf(!IS_ROOT)('as root', () => {
  it('the owner and group of the file stay', async () => {
    const path = join(scratch(), 'authorized_keys')
    writeFileSync(path, '')
    chownSync(path, NOBODY, NOBODY)
    const file = authorizedKeysFile(path, { log: silentLog })
    const look = await file.look(never)
    const expected = look.kind === 'file' ? look.digest : ''
    await file.replace(Buffer.from('# new\n'), { expected, evidence: false }, never)
    expect(statSync(path)).toMatchObject({ uid: NOBODY, gid: NOBODY })
    expect(readFileSync(path, 'utf8')).toBe('# new\n')
  })

  it('where the owner cannot be kept nothing is written, because sshd would then shut everybody out', () => {
    const folder = scratch()
    chmodSync(folder, 0o777)
    const path = join(folder, 'authorized_keys')
    writeFileSync(path, '# old\n', { mode: 0o644 })
    const said = execFileSync(process.execPath, [CHILD, path, String(NOBODY)], { encoding: 'utf8' })
    expect(JSON.parse(said)).toMatchObject({ code: 'storage_unwritable' })
    expect(said).toContain('belongs to user id 0')
    expect(readFileSync(path, 'utf8')).toBe('# old\n')
    expect(namesIn(folder)).toEqual(['authorized_keys'])
  })
})

itInDepth(
  'a writer killed at any moment leaves a whole file, and the next start takes its leftovers away',
  async () => {
    const path = join(scratch(), 'authorized_keys')
    for (let round = 0; round < byTier(3, 6, 60); round++) {
      const child = spawn(process.execPath, [FOREVER, path], { stdio: 'inherit' })
      const died = once(child, 'exit')
      const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
      await until(() => existsSync(path) && readFileSync(path, 'utf8') !== before)
      for (let i = 0; i < round; i++) expectWhole(readFileSync(path, 'utf8'))
      child.kill('SIGKILL')
      await died
      expectWhole(readFileSync(path, 'utf8'))
      authorizedKeysFile(path, { log: silentLog })
      expect(namesIn(dirname(path))).toEqual(['authorized_keys'])
    }
  },
)

function expectWhole(text: string): void {
  const [version = ''] = /^# \d+ /.exec(text) ?? []
  expect(text).toBe(version.repeat(5_000))
}
