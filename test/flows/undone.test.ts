/** Somebody else's edit that was undone: told at `warn` with what it was and where it is kept, in the audit trail and by explain. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Facts, Log } from '../../src/kernel/log.ts'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import { run } from './command.ts'
import { createActive, envIn, expectHealed, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

interface Line {
  readonly level: string
  readonly message: string
  readonly facts: Facts
}

function recording(): { readonly lines: Line[]; readonly log: Log } {
  const lines: Line[] = []
  const at =
    (level: string) =>
    (message: string, facts: Facts = {}) =>
      void lines.push({ level, message, facts })
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}

const UNDID = 'undid what somebody else had changed'

const entries = async ({ call }: TestHouse, query: string) =>
  (await call('GET', `/api/audit?action=undo_edit&${query}`)).body as unknown as readonly Facts[]

const explained = async ({ call }: TestHouse, id: number) =>
  (await call('GET', `/api/domains/${id}/explain`)).body as unknown as ExplainedDomain

const edit = (at: TestHouse, change: (text: string) => string) =>
  writeFileSync(at.house.routes_path, change(at.routes()))

itInDepth('an edit of one domain is told with its parts, and where the edited file is kept', async () => {
  const { lines, log } = recording()
  await using at = await openTestHouse({ log })
  const app = await createActive(at.call)
  const other = await createActive(at.call, { domain: 'other.example.com' })
  expect(lines.filter(({ message }) => message === UNDID)).toEqual([])
  expect(await entries(at, '')).toEqual([])
  expect((await explained(at, app)).undone).toBeNull()

  edit(at, (text) => text.replace('10.0.0.5:8080', '10.6.6.6:8080'))
  await expectHealed(at.call)
  await expect.poll(() => lines.filter(({ message }) => message === UNDID).length).toBeGreaterThan(0)
  const told = lines.findLast(({ message }) => message === UNDID)!
  expect(told).toMatchObject({ level: 'warn', facts: { component: 'routes', target: 'routes' } })
  const [kept] = told.facts['kept_as'] as readonly string[]
  expect(readFileSync(kept!, 'utf8')).toContain('10.6.6.6:8080')

  const [entry] = await entries(at, `domain_id=${app}`)
  expect(entry).toMatchObject({
    actor: 'reconciler',
    domain: 'app.example.com',
    detail: {
      component: 'routes',
      kept_as: [kept],
      items: [{ detail: expect.stringContaining('changed by hand at line') }],
    },
  })
  expect((await explained(at, app)).undone).toMatchObject({ component: 'routes', kept_as: [kept] })
  expect((await explained(at, other)).undone).toBeNull()
  const printed = await run(['explain', 'app.example.com'], envIn(at.directory))
  expect(printed.out).toContain(kept)
  const trail = await run(['audit', 'app.example.com'], envIn(at.directory))
  expect(trail.out).toMatch(/undo_edit[^]*changed by hand at line \d+[^]*kept as /)
  expect(trail.out).toContain(kept)
})

it('a deploy is no such edit, and neither is what an interrupted deploy left', async () => {
  const { lines, log } = recording()
  await using at = await openTestHouse({ log })
  const id = await createActive(at.call)
  for (const backend_port of [81, 82, 83]) {
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port } })
    await at.call('POST', `/api/domains/${id}/deploy`)
  }
  await at.call('POST', `/api/domains/${id}/deactivate`)
  expect(lines.filter(({ message }) => message === UNDID)).toEqual([])
  expect(await entries(at, '')).toEqual([])
})

itInDepth(
  'an edit that a deploy writes over is told as one that was repaired, and nothing that the deploy itself changed',
  async () => {
    const { lines, log } = recording()
    await using at = await openTestHouse({ log, env: { PLUMBLINE_MODE: 'observe' } })
    const undone = () => lines.filter(({ message }) => message === UNDID)
    const ids = {
      app: await createActive(at.call, { backend_port: 8080 }),
      other: await createActive(at.call, { domain: 'other.example.com', backend_port: 8090 }),
    }
    const deploy = async (id: number, backend_port: number) => {
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port } })
      expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject({ status: 200 })
    }

    // Of another domain than the one that is deployed.
    edit(at, (text) => text.replace('10.0.0.5:8080', '10.6.6.6:8080'))
    await deploy(ids.other, 8091)
    expect(at.routes()).not.toContain('10.6.6.6')
    expect(undone()).toMatchObject([
      {
        level: 'warn',
        facts: { component: 'routes', domains: ['app.example.com'], count: 1, kept_as: [expect.any(String)] },
      },
    ])
    const [kept] = undone()[0]!.facts['kept_as'] as readonly string[]
    expect(readFileSync(kept!, 'utf8')).toContain('10.6.6.6:8080')
    expect(await entries(at, `domain_id=${ids.app}`)).toMatchObject([
      {
        actor: 'reconciler',
        detail: { kept_as: [kept], items: [{ detail: expect.stringContaining('changed by hand') }] },
      },
    ])
    expect((await explained(at, ids.app)).undone).toMatchObject({ component: 'routes', kept_as: [kept] })
    expect(await entries(at, `domain_id=${ids.other}`)).toEqual([])
    expect((await explained(at, ids.other)).undone).toBeNull()

    // Of the one that is deployed.
    edit(at, (text) => text.replace('10.0.0.5:8080', '10.7.7.7:8080'))
    await deploy(ids.app, 8081)
    expect(undone()).toHaveLength(2)
    expect(undone()[1]!.facts['items']).toMatchObject([
      { detail: expect.stringMatching(/changed by hand at line \d+, and changed in the records/) },
    ])

    // What is deployed says the same as what was written by hand: nothing is undone.
    edit(at, (text) => text.replace('10.0.0.5:8081', '10.0.0.5:8082'))
    await deploy(ids.app, 8082)
    expect(undone()).toHaveLength(2)
    expect(await entries(at, 'limit=100')).toHaveLength(2)
  },
)

itInDepth('somebody who keeps at it does not fill the trail, and hides nothing behind it', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call, { auth_required: true })
  for (let round = 0; round < 24; round++) {
    edit(at, (text) => `${text}# ${round}\n`)
    await expectHealed(at.call)
  }
  const trail = await entries(at, 'limit=100')
  expect(trail.length).toBeGreaterThan(2)
  expect(trail.length).toBeLessThanOrEqual(20)
  expect(trail[0]).toMatchObject({ domain: null, domain_id: null })

  edit(at, (text) => text.replace(/^ +- "plumbline-sso.*\n/gm, ''))
  await expectHealed(at.call)
  await expect.poll(async () => (await explained(at, id)).undone).toMatchObject({ component: 'routes' })
})
