/** A house that keeps both rules and users of one provider, which is restarted by a script of the test's own. */
import { dirname } from 'node:path'
import { expect } from 'vitest'
import type { Answered, Client } from './client.ts'
import { type MoodyRestart, moodyRestart } from './moody-restart.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { create } from './test-house.ts'

export interface RestartWorld {
  readonly at: SsoHouse
  readonly world: PeopleWorld
  readonly restart: MoodyRestart
  [Symbol.asyncDispose](): Promise<void>
}

export const JO = { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] }

export interface RestartWorldOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly opened?: boolean
}

/** Rules of app.example.com are loaded; the provider has been restarted once for them. */
export async function restartWorld({ env, opened }: RestartWorldOptions = {}): Promise<RestartWorld> {
  const world = await peopleWorld()
  const restart = moodyRestart(dirname(world.users_path), () => at.authelia.restart_words)
  const at: SsoHouse = await openSsoHouse({
    // With a wrap, the client does not ask that everything be clean after each deploy.
    wrap: {},
    opened: false,
    users_path: world.users_path,
    env: {
      ...world.env,
      PLUMBLINE_SSO_RESTART: restart.setting,
      PLUMBLINE_SSO_USERS_RELOAD: 'restart',
      ...env,
    },
  })
  // Saved before the engine begins: a save looks at the provider, and its first pass would restart it for empty rules.
  const id = await create(at.call, { domain: 'app.example.com' })
  if (opened !== false) await at.house.open()
  restart.does('restart')
  expect((await toItsEnd(at.call, await at.call('POST', `/api/domains/${id}/activate`))).status).toBe(200)
  const reopen = async () => {
    const again = await at.reopen()
    if (opened !== false) await again.house.open()
    return again
  }
  return {
    at: { ...at, reopen },
    world,
    restart,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

export async function activate({ call }: Pick<SsoHouse, 'call'>, domain: string) {
  const id = await create(call, { domain })
  return toItsEnd(call, await call('POST', `/api/domains/${id}/activate`))
}

export const invite = async ({ call }: Pick<SsoHouse, 'call'>, body: object = JO) =>
  toItsEnd(call, await call('POST', '/api/users/invite', { body }))

/** The answer itself, also where the call has gone on as an operation. */
async function toItsEnd(call: Client, answer: Answered): Promise<Answered> {
  if (answer.status !== 202) return answer
  const operation = async () => (await call('GET', answer.headers.get('location')!)).body
  await expect.poll(async () => (await operation())['state'], { timeout: 80_000 }).not.toBe('running')
  const { status, body } = (await operation())['answer'] as unknown as Pick<Answered, 'status' | 'body'>
  return { ...answer, status, body }
}

/** The provider runs what both files say, and everybody who was invited has had the mail. */
export async function expectSettled({ at, world }: RestartWorld, domains: readonly string[]): Promise<void> {
  const { authelia } = at
  const runs = () => authelia.running?.rules.flatMap(({ domain }) => domain).filter((name) => name !== '*')
  await expect.poll(runs, { timeout: 80_000 }).toEqual(expect.arrayContaining([...domains]))
  await expect.poll(() => authelia.users, { timeout: 80_000 }).toBe(world.text())
  await expect
    .poll(async () => (await at.call('GET', '/api/sso/drift')).body['ok'], { timeout: 80_000 })
    .toBe(true)
}
