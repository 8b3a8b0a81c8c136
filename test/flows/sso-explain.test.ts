/** `explain`, `plan` and `drift` show rules as text, as they show routes. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { create, createActive } from './test-house.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

interface Component {
  readonly component: string
  readonly agrees: boolean | null
  readonly cause: string | null
  readonly desired: string | null
  readonly released: string | null
  readonly observed: string | null
  readonly unified_diff: string | null
}

const componentIn = (body: unknown): Component =>
  (body as { components: Component[] }).components.find(({ component }) => component === 'sso')!

const explained = async ({ call }: SsoHouse, id: number): Promise<Component> =>
  componentIn((await call('GET', `/api/domains/${id}/explain`)).body)

it('a deployed domain: its rule on all three sides', async () => {
  await using at = await openSsoHouse({ opened: false })
  const id = await createActive(at.call)
  const found = await explained(at, id)
  expect(found).toMatchObject({ agrees: true, cause: null })
  expect(found.desired).toBe(
    'access_control:\n  rules:\n    - domain: "app.example.com"\n      policy: "one_factor"\n',
  )
  expect([found.released, found.observed]).toEqual([found.desired, found.desired])
})

itInDepth(
  'an edit by hand: the domain differs and its neighbour does not, and the drift shows the lines',
  async () => {
    await using at = await openSsoHouse({ opened: false, env: { PLUMBLINE_MODE: 'observe' } })
    const id = await createActive(at.call)
    const other = await createActive(at.call, { domain: 'b.example.com' })
    const rule = '    - domain: "app.example.com"\n      policy: "one_factor"\n'
    expect(at.rules()).toContain(rule)
    writeFileSync(at.rules_path, at.rules().replace(rule, rule.replace('"one_factor"', 'bypass')))
    const found = await explained(at, id)
    expect(found).toMatchObject({ agrees: false, cause: 'edited' })
    expect(found.observed).toContain('policy: "bypass"')
    expect(await explained(at, other)).toMatchObject({ agrees: true, cause: null })
    const { unified_diff } = componentIn((await at.call('GET', '/api/drift')).body)
    expect(unified_diff).toContain('-      policy: bypass\n+      policy: "one_factor"')
  },
)

itInDepth('a plan shows which rules it would add', async () => {
  await using at = await openSsoHouse({ opened: false })
  await createActive(at.call)
  const id = await create(at.call, { domain: 'new.example.com' })
  const { body } = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
  expect(JSON.stringify(body)).toContain(String.raw`+    - domain: \"new.example.com\"`)
})
