/** `plumbline keys` in a real process, beside a daemon that goes on with what the command has done. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { run } from './command.ts'
import { serve } from './command-daemon.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>

beforeEach(() => {
  directory = newFolder('keys')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
})

const keys = async (...words: string[]) => {
  const ran = await run(['keys', ...words], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return ran
}
const listed = async () =>
  JSON.parse((await keys('--json')).out) as { id: string; name: string; state: string }[]

it('issues, lists, rotates the main key that it calls with itself, and revokes', async () => {
  const daemon = await serve(env)
  try {
    const before = readFileSync(join(directory, 'api-key'), 'utf8')
    const issued = await keys('issue', 'backup')
    expect(issued.out).toMatch(/^[A-Za-z0-9_-]{43}\n$/)
    const main = (await listed()).find(({ name }) => name === 'main')!
    await keys('rotate', main.id)
    expect(readFileSync(join(directory, 'api-key'), 'utf8')).not.toBe(before)
    expect((await listed()).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'backup valid',
      'main ending',
      'main valid',
    ])
    expect((await keys('all')).out).toMatch(/api_key +backup +valid/)
    const backup = (await listed()).find(({ name }) => name === 'backup')!
    expect((await keys('revoke', backup.id, '--yes')).out).toContain('The key backup has ended.')
    expect((await run(['keys', 'issue'], env)).code).toBe(64)
  } finally {
    await daemon.stop()
  }
})
