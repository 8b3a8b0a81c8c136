/** What was reported too soon and waits: it ends with its key, goes along with a rename, and is taken for no name without a record. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const HOME = 'home.example.com'
const NEXT = 'next.example.com'
const MINUTE = 60_000
const WITHIN = { timeout: 30_000 }

let at: TestHouse
let clock: MovedClock
let id: number

beforeEach(async () => {
  clock = movedClock({ stands: true })
  at = await openTestHouse({ clock })
  id = await createActive(at.call, { domain: HOME, ddns_enabled: true })
})
afterEach(() => at[Symbol.asyncDispose]())

async function issued(): Promise<{ readonly key: string; readonly id: string }> {
  const { body } = await at.call('POST', '/api/ddns/tokens', { body: { host: HOME } })
  const { key, token } = body as unknown as { readonly key: string; readonly token: { readonly id: string } }
  return { key, id: token.id }
}

const report = async (key: string, ip: string) =>
  expect(
    await at.call('GET', `/api/ddns/update/${HOME}?key=${key}&ip=${ip}`, { key: null, peer: '84.1.2.3' }),
  ).toMatchObject({ status: 200, body: `good ${ip}\n` })

const ok = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
  const answer = await at.call(method, path, body === undefined ? {} : { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const hostOf = async (name: string) => {
  const { body } = await at.call('GET', '/api/ddns/hosts')
  const { hosts } = body as unknown as { readonly hosts: readonly { readonly host: string }[] }
  return hosts.find(({ host }) => host === name)
}

const reportedFor = async (name: string) =>
  (await at.call('GET', `/api/audit?action=report_address&domain=${name}`)).body

it('ends with the key that reported it, which the answer and the dry run say; another key’s goes on', async () => {
  const [good, stolen] = [await issued(), await issued()]
  await report(good.key, '84.1.1.1')
  await report(stolen.key, '84.6.6.6')
  expect(await hostOf(HOME)).toMatchObject({ waiting: [{ address: '84.6.6.6' }] })
  const warning = `${HOME}: 84.6.6.6, which this key reported and which waits, is dropped; what was reported before stays. What another key reported meanwhile has to be reported again.`
  const path = `/api/ddns/tokens/${stolen.id}`
  expect(await ok('DELETE', `${path}?dry_run=true`)).toMatchObject({ plan: { warnings: [warning] } })
  expect(await hostOf(HOME)).toMatchObject({ waiting: [{ address: '84.6.6.6' }] })
  expect(await ok('DELETE', path)).toMatchObject({ success: true, warnings: [warning] })
  await expect.poll(() => hostOf(HOME), WITHIN).toMatchObject({ waiting: [] })
  expect((await at.call('GET', '/api/audit?action=revoke_token')).body).toMatchObject([
    { detail: { dropped: ['84.6.6.6'] } },
  ])

  clock.pass(MINUTE)
  await report(good.key, '84.1.1.2')
  await report(good.key, '84.1.1.3')
  expect(await ok('DELETE', path)).toMatchObject({ warnings: [] })
  clock.pass(MINUTE)
  await expect.poll(() => hostOf(HOME), WITHIN).toMatchObject({ ipv4: '84.1.1.3' })
  expect(JSON.stringify(await reportedFor(HOME))).not.toContain('84.6.6.6')
})

it('stays where another key reported it, too, whichever ends of those that reported it before', async () => {
  const [old, next] = [await issued(), await issued()]
  await report(next.key, '84.1.1.1')
  await report(old.key, '84.1.1.5')
  await report(next.key, '84.1.1.5')
  expect(await ok('DELETE', `/api/ddns/tokens/${old.id}`)).toMatchObject({ warnings: [] })
  clock.pass(MINUTE)
  await expect.poll(() => hostOf(HOME), WITHIN).toMatchObject({ ipv4: '84.1.1.5', waiting: [] })
})

it('is of no key that ended while its reports were on their way', async () => {
  const [good, stolen] = [await issued(), await issued()]
  await report(good.key, '84.1.1.1')
  const reports = (network: number) =>
    Array.from({ length: 12 }, (_, number) =>
      at.call('GET', `/api/ddns/update/${HOME}?key=${stolen.key}&ip=84.6.${network}.${number + 1}`, {
        key: null,
        peer: '84.1.2.3',
      }),
    )
  const before = reports(1)
  const ended = ok('DELETE', `/api/ddns/tokens/${stolen.id}`)
  const answers = await Promise.all([...before, ...reports(2)])
  await ended
  for (const { status } of answers) expect([200, 401]).toContain(status)
  expect(answers.at(-1)?.status).toBe(401)
  await expect.poll(() => hostOf(HOME), WITHIN).toMatchObject({ ipv4: '84.1.1.1', waiting: [] })
  clock.pass(MINUTE)
  await report(good.key, '84.1.1.2')
  expect(await hostOf(HOME)).toMatchObject({ ipv4: '84.1.1.2', waiting: [] })
  expect(JSON.stringify(await reportedFor(HOME))).not.toContain('84.6.')
})

it('goes along with a rename, as its deploy says, and is taken for the new name alone', async () => {
  const { key } = await issued()
  await report(key, '84.1.1.21')
  await report(key, '84.1.1.22')
  await ok('PUT', `/api/domains/${id}`, { domain: NEXT })
  const { warnings } = await ok('POST', `/api/domains/${id}/deploy`)
  expect(warnings).toContain(`${NEXT}: 84.1.1.22, which was reported for ${HOME} and waits, is taken for it.`)
  clock.pass(MINUTE)
  await expect
    .poll(() => hostOf(NEXT), WITHIN)
    .toMatchObject({
      ipv4: '84.1.1.22',
      waiting: [],
      counts: { source: 'reported' },
    })
  // The trail of a record goes back to its earlier name.
  expect(await reportedFor(NEXT)).toMatchObject([
    { domain: NEXT, detail: { addresses: [{ after: '84.1.1.22' }] } },
    { domain: HOME, detail: { addresses: [{ after: '84.1.1.21' }] } },
  ])
})

it('is taken for no name without a record, also after a restart', async () => {
  const { key } = await issued()
  await report(key, '84.1.1.1')
  await report(key, '84.1.1.2')
  await ok('POST', `/api/domains/${id}/disable`)
  clock.pass(MINUTE)
  await expect.poll(() => hostOf(HOME), WITHIN).toMatchObject({ ipv4: '84.1.1.1', waiting: [] })
  at = await at.reopen()
  expect(await hostOf(HOME)).toMatchObject({ ipv4: '84.1.1.1', waiting: [] })
  expect(JSON.stringify(await reportedFor(HOME))).not.toContain('84.1.1.2')
})
