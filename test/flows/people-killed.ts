/** A daemon that is killed while it works on people, and what stands once it has been started again. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { UserView } from '../../src/features/people/view.ts'
import { programOf } from '../kit/programs.ts'
import { schemaFaults } from '../features/people/users-file/schema.ts'
import { brokenPromises } from '../broken-promises.ts'
import type { Client } from './client.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'

const CHILD = programOf(new URL('children/people.ts', import.meta.url))

export interface Deed {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Begun as soon as the invitation of that name has come to that step. */
  readonly once?: { readonly username: string; readonly step: string }
}

export interface Story {
  readonly name: string
  /** The users file before. */
  readonly file: string
  /** Done in peace, by an earlier daemon. */
  readonly before: readonly Deed[]
  /** In the midst of which the daemon is killed. */
  readonly calls: readonly Deed[]
  /** What somebody does who has heard no answer, in turn. */
  readonly again: readonly (Deed & { readonly answers: readonly number[] })[]
  readonly check: (after: Aftermath) => void
  /** In which every n-th point is taken where not all of them are. */
  readonly every: number
}

export interface Aftermath {
  readonly world: PeopleWorld
  /** The file as it stood before the calls. */
  readonly text_before: string
  readonly mails_before: number
  readonly users: ReadonlyMap<string, UserView>
  /** Deeds on record of the audit trail, the newest first. */
  readonly audit: readonly string[]
}

/** What a child says that was let live. */
export interface Said {
  readonly statuses: readonly number[]
  readonly points: number
}

/** The provider "reads" its file by copying it, so that what it has read can be looked at. */
const settings = (world: PeopleWorld, directory: string): Record<string, string> => ({
  ...world.env,
  PLUMBLINE_LISTEN: '127.0.0.1:0',
  PLUMBLINE_DATA_DIR: directory,
  PLUMBLINE_DNS_PROVIDER: 'none',
  PLUMBLINE_SSO_RESTART_GAP: '0',
  PLUMBLINE_SSO_USERS_RELOAD: `command:/bin/cp ${world.users_path} ${world.users_path}.loaded`,
})

/**
 * One life and the one after it. Answers whether the first one ended by the kill, and what it said otherwise.
 * @param fatal the point at which it dies, counted from 1 on; null to live
 */
export async function life(story: Story, fatal: number | null): Promise<Said | 'killed'> {
  await using world = await peopleWorld(story.file)
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-killed-'))
  const env = settings(world, directory)
  try {
    await inPeace(story, { env, directory })
    const [text_before, mails_before] = [world.text(), world.sink.mails.length]
    const said = await inTheChild({ env, calls: story.calls, fatal })
    expect(brokenPromises(directory, 'at death')).toEqual([])
    await using at = await openTestHouse({ env, directory })
    await settled(at.call, world)
    for (const { method, path, body, answers } of story.again) {
      const { status } = await at.call(method, path, { body })
      expect(answers, `${method} ${path} again`).toContain(status)
    }
    await settled(at.call, world)
    expect(schemaFaults(world.text())).toEqual([])
    const { users, audit } = await toldBy(at.call)
    expect(brokenPromises(directory, 'at rest')).toEqual([])
    story.check({ world, text_before, mails_before, users, audit })
    return said
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function inPeace(
  { before }: Story,
  { env, directory }: { readonly env: Readonly<Record<string, string>>; readonly directory: string },
): Promise<void> {
  if (before.length === 0) return
  const at = await openTestHouse({ env, directory, opened: false })
  for (const { method, path, body } of before)
    expect((await at.call(method, path, { body })).status, path).toBeLessThan(300)
  await at.house.close()
}

async function inTheChild(order: object): Promise<Said | 'killed'> {
  const options = { timeout: 60_000, killSignal: 'SIGTERM' } as const
  return promisify(execFile)(process.execPath, [CHILD, JSON.stringify(order)], options).then(
    ({ stdout }) => JSON.parse(stdout) as Said,
    (error: { signal?: string }) => {
      if (error.signal !== 'SIGKILL') throw error as Error
      return 'killed'
    },
  )
}

/** No invitation is under way, the file says what the database does, and the provider has read it. */
async function settled(call: Client, world: PeopleWorld): Promise<void> {
  const open = async () =>
    [...(await toldBy(call)).users.values()].filter(
      ({ invitation, revoked_at, disabled, in_file }) =>
        (invitation ?? { step: 'done' }).step !== 'done' || (revoked_at !== null && in_file && !disabled),
    )
  await expect.poll(open).toEqual([])
  await expect.poll(() => loaded(world)).toBe(world.text())
}

/** A provider that was never told runs what was there when it started. */
function loaded(world: PeopleWorld): string {
  const path = `${world.users_path}.loaded`
  return existsSync(path) ? readFileSync(path, 'utf8') : world.text()
}

async function toldBy(call: Client): Promise<Pick<Aftermath, 'users' | 'audit'>> {
  const users = (await call('GET', '/api/users')).body as unknown as readonly UserView[]
  const audit = (await call('GET', '/api/audit')).body as unknown as readonly { readonly action: string }[]
  return {
    users: new Map(users.map((user) => [user.username, user])),
    audit: audit.map(({ action }) => action),
  }
}
