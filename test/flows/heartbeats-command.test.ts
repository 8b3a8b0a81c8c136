/** `plumbline heartbeats` through a running daemon: what a script gets, and what a person is asked. */
import { beforeEach, expect, it } from 'vitest'
import { run, start } from './command.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let env: Record<string, string>
let directory: string
beforeEach(() => {
  directory = newFolder('heartbeats')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_URL: 'https://ctl.example.org',
    PLUMBLINE_HEARTBEAT_SILENT_AFTER: '1s',
  }
})

const ran = (...words: string[]) => run(['heartbeats', ...words], env)

itInDepth('adds, lists, rotates, revokes and removes; taking away is asked about', async () => {
  const daemon = start(['serve'], env)
  await daemon.saw('listening')
  const added = await ran('add', 'external')
  expect(added, added.err).toMatchObject({ code: 0 })
  const [, token] = /^PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN=([A-Za-z0-9_-]{43})$/m.exec(added.out)!
  expect(added.out).toContain('URL=https://ctl.example.org/api/heartbeats/external\n')
  expect(added.err).not.toContain(token)
  expect((await ran('add', 'external')).code).toBe(1)
  await expect.poll(async () => (await ran()).code, { timeout: 60_000 }).toBe(2)
  expect((await ran()).out).toMatch(/^external {2}silent {2}never seen$/m)
  expect((await ran('remove', 'external')).code, 'a script has to say that it means it').toBe(64)
  const dry = await ran('remove', 'external', '--dry-run')
  expect(dry, dry.err).toMatchObject({ code: 2 })
  const no = await run(['heartbeats', 'rotate', 'external'], env, { width: 100, types: () => 'n' })
  expect(no).toMatchObject({ code: 1 })
  const yes = await run(['heartbeats', 'rotate', 'external'], env, { width: 100, types: () => 'y' })
  expect(yes, yes.err).toMatchObject({ code: 0 })
  expect(yes.out).not.toContain(token)
  expect((await ran('rotate', 'external')).out).toContain('PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN=')
  expect((await ran('revoke', 'external', '--yes')).out).toContain('3 of the tokens')
  expect((await ran('remove', 'external', '--yes')).code).toBe(0)
  expect((await ran('--json')).out).toBe('[]\n')
  expect((await daemon.stop()).code).toBe(0)
})

it.each([
  [['add'], 64],
  [['remove'], 64],
  [['paint', 'external'], 64],
  [['remove', 'nobody', '--yes'], 1],
  [['add', 'Not A Label'], 1],
])('%j exits with %i and says why', async (words, code) => {
  const daemon = await ran(...words)
  expect(daemon, daemon.err).toMatchObject({ code })
  expect(daemon.err.length).toBeGreaterThan(20)
})
