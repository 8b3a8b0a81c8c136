/** What we say of a key file's owners and modes is what a real, strict sshd does with it. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wayToFile } from '../../../src/io/files/way-to-file.ts'
import { strictModesFaults } from '../../../src/model/ssh/strict-modes.ts'
import { describePeers } from '../../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../../peers/sshd.ts'
import { sample } from '../../kit/tier.ts'

describePeers(SSHD_PROGRAMS, 'a strict sshd', () => {
  let folder: string
  let file: string
  let sshd: Sshd

  beforeAll(async () => {
    // Below the home, where sshd stops to look.
    folder = mkdtempSync(join(homedir(), '.plumbline-test-'))
    file = join(folder, 'keys', 'authorized_keys')
    mkdirSync(join(folder, 'keys'), { mode: 0o700 })
    sshd = await startSshd({ config: `StrictModes yes\nAuthorizedKeysFile ${file}\n` })
    writeFileSync(file, readFileSync(`${sshd.identity_file}.pub`), { mode: 0o600 })
  })
  afterAll(async () => {
    await sshd.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('reads the file where we find no offence, and never where we find one of everybody’s', async () => {
    // What a group may write is taken by some, such as Debian's, where nobody else is in the group.
    const cases: readonly (readonly [path: string, mode: number, is_read: boolean | 'by some'])[] = [
      [file, 0o600, true],
      [file, 0o644, true],
      [file, 0o664, 'by some'],
      [file, 0o604, true],
      [file, 0o602, false],
      [join(folder, 'keys'), 0o755, true],
      [join(folder, 'keys'), 0o770, 'by some'],
      [join(folder, 'keys'), 0o1777, false],
      [folder, 0o720, 'by some'],
      [folder, 0o701, true],
    ]
    for (const [path, mode, is_read] of sample(cases, 4)) {
      chmodSync(path, mode)
      const faults = strictModesFaults((await wayToFile(file))!)
      expect(faults.length === 0, `${path} ${mode.toString(8)}: ${faults.join()}`).toBe(is_read === true)
      const let_in = (await sshd.logIn(sshd.identity_file)) !== null
      if (is_read !== 'by some') expect(let_in, `${path} ${mode.toString(8)}`).toBe(is_read)
      chmodSync(path, path === file ? 0o600 : 0o700)
    }
  })

  it('has nothing to look at where there is no file', async () => {
    expect(await wayToFile(join(folder, 'none'))).toBeNull()
  })
})
