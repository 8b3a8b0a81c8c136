/** An invitation whose daemon is killed at each of its steps: exactly one user, never two mails, a file that the schema accepts. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { schemaFaults } from '../adapters/yaml/users/schema.ts'
import { brokenPromises } from '../broken-promises.ts'
import { OWNER, type PeopleWorld, peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'

const CHILD = new URL('children/invite.ts', import.meta.url).pathname
const JO = { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] }
/** All of them, or every fifth. */
const EVERY = process.env['FAULTS'] === 'all' ? 1 : 5

interface Ended {
  readonly killed: boolean
  readonly out: string
}

async function invite(
  env: Readonly<Record<string, string>>,
  write: number | null,
  moment: string,
): Promise<Ended> {
  const order = JSON.stringify({ env, body: JO, write, moment })
  return promisify(execFile)(process.execPath, [CHILD, order], {
    timeout: 60_000,
    killSignal: 'SIGTERM',
  }).then(
    ({ stdout }) => ({ killed: false, out: stdout }),
    (error: { signal?: string }) => {
      if (error.signal !== 'SIGKILL') throw error as Error
      return { killed: true, out: '' }
    },
  )
}

/** The provider "reads" its file by copying it, so that what it has read can be looked at. */
function settings(world: PeopleWorld, directory: string): Record<string, string> {
  return {
    ...world.env,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_SSO_USERS_RELOAD: `command:/bin/cp ${world.users_path} ${world.users_path}.loaded`,
  }
}

const loaded = (world: PeopleWorld): string | null =>
  existsSync(`${world.users_path}.loaded`) ? readFileSync(`${world.users_path}.loaded`, 'utf8') : null

interface Found {
  readonly mails: number
  readonly detail: string | null
}

async function life(write: number | null, moment: 'before' | 'after'): Promise<Found & Ended> {
  await using world = await peopleWorld()
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-killed-'))
  try {
    const env = settings(world, directory)
    const ended = await invite(env, write, moment)
    expect(brokenPromises(directory, 'at death')).toEqual([])
    await using at = await openTestHouse({ env, directory })
    const jo = async () =>
      (
        (await at.call('GET', '/api/users')).body as unknown as {
          username: string
          invitation: Step | null
        }[]
      ).find(({ username }) => username === 'jo.doe')
    await expect
      .poll(async () => ((await jo())?.invitation ?? { step: 'done' }).step, { timeout: 20_000 })
      .toBe('done')
    // The caller saw no answer, so he asks again.
    const again = await at.call('POST', '/api/users/invite', { body: JO })
    expect([201, 409]).toContain(again.status)

    const text = world.text()
    expect(schemaFaults(text)).toEqual([])
    expect(text.startsWith(OWNER)).toBe(true)
    expect([...world.users().keys()]).toEqual(['owner', 'jo.doe'])
    expect(world.user('jo.doe')).toMatchObject({ disabled: false, groups: ['family'] })
    expect(loaded(world)).toBe(text)
    const { detail } = (await jo())!.invitation!
    const mails = world.sink.mails.length
    // Nobody can know of a mail that was on its way; nobody sends it again then, and it is said.
    if (detail === null) expect(mails).toBe(1)
    else expect(detail).toContain('not known')
    expect(mails).toBeLessThanOrEqual(1)
    expect(brokenPromises(directory, 'at rest')).toEqual([])
    return { ...ended, mails, detail }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Step {
  readonly step: string
  readonly detail: string | null
}

describe('a daemon that is killed while it invites', () => {
  it('makes exactly one user, whichever write of the store was its last', { timeout: 600_000 }, async () => {
    const whole = await life(null, 'before')
    const { status, writes } = JSON.parse(whole.out) as { status: number; writes: number }
    expect(status).toBe(201)
    expect(writes).toBeGreaterThan(8)
    let unsure = 0
    for (let trial = 0; trial < 2 * writes; trial += EVERY) {
      const moment = trial % 2 === 0 ? 'before' : 'after'
      const write = Math.floor(trial / 2) + 1
      const found = await life(write, moment).catch((error: unknown) => {
        throw new Error(`killed ${moment} write ${write}: ${(error as Error).message}`, { cause: error })
      })
      expect(found.killed, `${moment} ${write}`).toBe(true)
      if (found.detail !== null) unsure++
    }
    // Only between "the text goes out" and "this is how it ended".
    expect(unsure).toBeLessThanOrEqual(2)
  })
})
