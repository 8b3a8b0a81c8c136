/** `plumbline edges` in a real process: a whole life of an edge by its name. */
import { beforeEach, expect, it } from 'vitest'
import { run } from './command.ts'
import { serve } from './command-daemon.ts'
import { newFolder } from '../kit/new-folder.ts'

let env: Record<string, string>
let directory: string
beforeEach(() => {
  directory = newFolder('edges')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_URL: 'https://ctl.example.org',
  }
})

const said = async (...words: string[]) => {
  const ran = await run(['edges', ...words], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return ran
}

it('adds, lists, drains, resumes, rotates and removes through a running daemon', async () => {
  const daemon = await serve(env)
  const added = await said('add', 'fra1', '--region', 'eu', '--hostname', 'fra1.example.com')
  const [, token] = /^# token\n([A-Za-z0-9_-]{43})$/m.exec(added.out)!
  expect(added.out).toContain('endpoint: "https://ctl.example.org/api/ccm/edge/edges/1/routes"')
  expect(added.out).toContain(`Authorization: "Bearer ${token}"`)
  expect(added.err).not.toContain(token)
  expect((await said()).out).toMatch(
    /^fra1 {2}pending {2}version unknown {2}fra1\.example\.com {2}eu {2}never seen$/m,
  )
  expect((await said('offline', 'fra1')).err).toContain('offline')
  expect((await said('--state', 'offline')).out).toContain('fra1')
  expect((await said('resume', 'fra1')).err).toContain('pending')
  expect((await said('rotate', 'fra1')).out).not.toContain(token)
  expect((await said('show', 'fra1')).out).toContain('fra1 (id 1) is pending')
  expect((await said('revoke', 'fra1', '--yes')).out).toContain('2 of the tokens')
  await said('remove', 'fra1', '--yes')
  expect((await said('--json')).out).toBe('[]\n')
  await daemon.stop()
})

it.each([
  [['add'], 64],
  [['show'], 64],
  [['paint', 'fra1'], 64],
  [['list', 'all'], 64],
  [['show', 'nobody'], 1],
  [['add', 'Not A Label'], 1],
  [['--state', 'gone'], 1],
])('%j exits with %i and says why', async (words, code) => {
  const ran = await run(['edges', ...words], env)
  expect(ran, ran.err).toMatchObject({ code })
  expect(ran.err.length).toBeGreaterThan(20)
})
