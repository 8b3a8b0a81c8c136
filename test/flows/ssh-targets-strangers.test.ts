/** Files that stand at the places of the SSH gateway and are not ours, over the whole house: none is ever written over. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const DEPLOY = '/companions/inventory/api/deploy-ssh-proxy'
const THEIRS = 'Host theirs\n'

describe('at the places of the SSH gateway', () => {
  let folder: string
  let config: string
  let known: string
  beforeEach(() => {
    folder = newFolder('ssh-strangers')
    config = join(folder, 'targets.conf')
    known = join(folder, 'known_hosts')
  })

  /** Both files were looked at by the engine's own passes. */
  async function openLooked(): Promise<TestHouse> {
    const at = await openTestHouse({
      env: {
        // Nobody listens there.
        PLUMBLINE_SSH_TARGETS: 'box=root@127.9.0.1:1',
        PLUMBLINE_SSH_PROXY_CONFIG: config,
        PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: known,
      },
    })
    const database = new Database(join(at.directory, 'plumbline.db'), { readonly: true })
    const looked = database.prepare("SELECT count(*) FROM applied WHERE key LIKE 'ssh-proxy%'").pluck()
    await expect.poll(() => looked.get(), { timeout: 30_000 }).toBe(2)
    database.close()
    return at
  }

  it.each([
    ['configuration', () => config],
    ['list of host keys', () => known],
  ])('a %s that stood there first is left alone, however often it was looked at', async (_what, path) => {
    writeFileSync(path(), THEIRS)
    await using at = await openLooked()
    for (let tries = 0; tries < 2; tries++) {
      const { status, body } = await at.call('POST', DEPLOY)
      expect([status, readFileSync(path(), 'utf8')], JSON.stringify(body)).toEqual([409, THEIRS])
    }
  })

  itInDepth(
    'a file that came before the first release is left alone, and what is moved away makes room',
    async () => {
      await using at = await openLooked()
      writeFileSync(config, THEIRS)
      const { status, body } = await at.call('POST', DEPLOY)
      expect([status, readFileSync(config, 'utf8')], JSON.stringify(body)).toEqual([409, THEIRS])
      rmSync(config)
      expect((await at.call('POST', DEPLOY)).body).toMatchObject({ success: true })
      expect([existsSync(known), readFileSync(config, 'utf8')]).toEqual([
        true,
        expect.stringContaining('\nHost box\n'),
      ])
    },
  )
})
