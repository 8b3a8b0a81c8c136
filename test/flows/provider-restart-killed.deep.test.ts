/**
 * A daemon that is killed in the middle of a restart of the provider, with rules and a user waiting for it: the next one
 * keeps the distance, restarts it once for both, and sends the one mail.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { startAuthelia } from '../fakes/sso/authelia.ts'
import { type Running, start } from './command.ts'
import { moodyRestart } from './moody-restart.ts'
import { peopleWorld } from './people-world.ts'
import { JO } from './restart-world.ts'
import { APP } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const KEY = 'the-key-of-this-very-test-0001'
/** The next daemon is up before it is over, so that both find it waiting. */
const GAP_S = 25

/** What becomes of the command that the killed daemon had begun. */
it.each([
  ['goes on without it, and restarts the provider late', 'goes on'],
  ['dies with it', 'dies'],
])('the command %s', { timeout: 300_000 }, async (_name, fate) => {
  const folder = newFolder('mid-restart')
  await using world = await peopleWorld()
  const rules_path = join(folder, 'rules', 'access-control.yml')
  const authelia = await startAuthelia(rules_path, world.users_path)
  const restart = moodyRestart(folder, () => authelia.restart_words)
  const go = join(folder, 'go')
  const data = join(folder, 'data')
  const call = async (method: string, path: string, body?: unknown) => {
    const { listen } = JSON.parse(readFileSync(join(data, 'holder.json'), 'utf8')) as { listen: string }
    const answer = await request(`${listen}${path}`, {
      method: method as 'GET' | 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> }
  }
  const serve = async () => {
    const daemon = start(['serve'], {
      ...world.env,
      PLUMBLINE_DATA_DIR: data,
      PLUMBLINE_LISTEN: '127.0.0.1:0',
      PLUMBLINE_DNS_PROVIDER: 'none',
      API_KEY: KEY,
      PLUMBLINE_SSO_RULES_FILE: rules_path,
      PLUMBLINE_SSO_URL: authelia.url,
      PLUMBLINE_SSO_RESTART: restart.setting,
      PLUMBLINE_SSO_RESTART_GAP: String(GAP_S),
      PLUMBLINE_SSO_USERS_RELOAD: 'restart',
    })
    await daemon.saw('listening')
    return daemon
  }
  let daemon: Running | null = null
  try {
    restart.does(`while [ ! -e ${go} ]; do sleep 0.05; done; restart`)
    daemon = await serve()
    const { domain_id } = (await call('POST', '/api/domains', APP)).body
    const unanswered = [
      call('POST', `/api/domains/${String(domain_id)}/activate`).catch(() => 'lost'),
      call('POST', '/api/users/invite', JO).catch(() => 'lost'),
    ]
    await expect.poll(() => restart.begun().length).toBe(1)
    await expect.poll(() => world.user('jo.doe')?.disabled).toBe(false)
    await daemon.stop('SIGKILL')
    expect(await Promise.all(unanswered)).toEqual(['lost', 'lost'])
    const [orphan] = restart.alive()
    if (fate === 'dies') process.kill(-orphan!, 'SIGKILL')
    restart.does('restart')
    daemon = await serve()
    if (fate === 'goes on') writeFileSync(go, '')

    await expect.poll(() => world.sink.mails.length, { timeout: 90_000 }).toBe(1)
    await expect
      .poll(async () => (await call('GET', '/api/sso/drift')).body['ok'], { timeout: 90_000 })
      .toBe(true)
    expect(authelia.users).toBe(world.text())
    expect(authelia.running?.rules[0]?.domain).toEqual(['app.example.com'])
    expect([...world.users().keys()]).toEqual(['owner', 'jo.doe'])
    // The next passes and the invitations' own look find nothing to do.
    await call('POST', '/api/reconcile')
    await expect
      .poll(async () => (await call('GET', '/api/users/jo.doe')).body['invitation'])
      .toMatchObject({ step: 'done', detail: null })
    const [first, second, ...more] = restart.begun()
    expect(more).toEqual([])
    expect(second! - first!).toBeGreaterThan((GAP_S - 1) * 1000)
    expect(authelia.restarts).toBe(fate === 'goes on' ? 2 : 1)
    expect(world.sink.mails).toHaveLength(1)
  } finally {
    await daemon?.stop()
    for (const pid of restart.alive()) process.kill(-pid, 'SIGKILL')
    await authelia.stop()
  }
})
