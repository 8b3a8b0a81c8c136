/** Our own change could not be written, and a hand was at the same file: each object is told as what it is, on every page. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DaemonOptions } from '../../src/foundation.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { checkCommand } from '../fakes/sso/check-command.ts'
import { openSsoHouse } from './sso-house.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const FULL = 'routes.yml could not be written (ENOSPC).'

interface Difference {
  readonly item: string
  readonly cause: string
  readonly domains: readonly string[]
  readonly detail: string
}

/** By page and item: the cause. */
async function told({ call }: Pick<TestHouse, 'call'>, key: string, ids: readonly number[]) {
  const json = async <T>(path: string) => (await call('GET', path)).body as unknown as T
  const causes = (differences: readonly Difference[]) =>
    Object.fromEntries(differences.map(({ item, cause }) => [item, cause]))
  const drift = await json<{ components: { key: string; differences: Difference[] }[] }>('/api/drift')
  const health = await json<{ components: { name: string; cause: string; differences: Difference[] }[] }>(
    '/api/control-plane/health',
  )
  const explained = await Promise.all(
    ids.map(async (id) => {
      const { components, summary } = await json<{
        summary: string
        components: { key: string; cause: string | null }[]
      }>(`/api/domains/${id}/explain`)
      return { cause: components.find((one) => one.key === key)!.cause, summary }
    }),
  )
  const of_drift = drift.components.find((one) => one.key === key)!.differences
  return {
    drift: causes(of_drift),
    health: causes(health.components.find(({ name }) => name === key)!.differences),
    explain: explained.map(({ cause }) => cause),
    summaries: explained.map(({ summary }) => summary),
    detail: (item: string) => of_drift.find((one) => one.item === item)?.detail,
  }
}

describe('the routes file', () => {
  const ITEM = 'http.services.plumbline-site_app.example.com'
  const OTHER = 'http.services.plumbline-site_other.example.com'

  async function stuck() {
    const trouble: { write: Failure | null } = { write: null }
    const wrap: DaemonOptions['wrap'] = {
      file: (file) => ({
        path: file.path,
        glance: () => file.glance(),
        look: (signal) => file.look(signal),
        replace: (...given) =>
          trouble.write === null ? file.replace(...given) : Promise.reject(trouble.write),
        placeFault: () => file.placeFault(),
        restoreMode: (signal) => file.restoreMode(signal),
        watch: (hint) => file.watch(hint),
      }),
    }
    const at = await openTestHouse({ wrap })
    const id = await createActive(at.call)
    const other = await createActive(at.call, { domain: 'other.example.com' })
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 8088 } })
    trouble.write = new Failure('storage_full', FULL)
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(507)
    return { at, id, other, trouble }
  }

  itInDepth(
    'a line at its end: what is ours and refused stays that, and the line is told as added',
    async () => {
      const { at, id, other, trouble } = await stuck()
      await using _ = at
      appendFileSync(at.house.routes_path, '# by hand\n')
      const found = await told(at, 'routes', [id, other])
      const [added] = Object.keys(found.drift).filter((item) => item !== ITEM)
      const expected = { [ITEM]: 'rejected', [added!]: 'edited' }
      expect(found).toMatchObject({ drift: expected, health: expected, explain: ['rejected', null] })
      expect(found.detail(ITEM)).toBe(`deployed and not in place: ${FULL}`)
      expect(found.detail(added!)).toMatch(/added by hand at line \d+; it belongs to no record/)
      expect(found.summaries.join()).not.toMatch(/by hand|has lost/)
      trouble.write = null
      expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
      expect((await told(at, 'routes', [id])).drift).toEqual({})
    },
  )

  it("a neighbour's route that was edited is told as edited, and a removed one as lost", async () => {
    const { at, id, other } = await stuck()
    await using _ = at
    const path = at.house.routes_path
    const before = readFileSync(path, 'utf8')
    const own = before.indexOf('"plumbline-site_other.example.com":\n      loadBalancer')
    expect(own).toBeGreaterThan(0)
    writeFileSync(path, before.slice(0, own) + before.slice(own).replace('10.0.0.5', '10.6.6.6'))
    const edited = { [ITEM]: 'rejected', [OTHER]: 'edited' }
    expect(await told(at, 'routes', [id, other])).toMatchObject({
      drift: edited,
      health: edited,
      explain: ['rejected', 'edited'],
    })
    const lines = before.split('\n')
    const service = lines.findLastIndex((line) => line.includes('"plumbline-site_other.example.com":'))
    writeFileSync(path, lines.toSpliced(service, 4).join('\n'))
    expect((await told(at, 'routes', [id, other])).drift).toEqual({ [ITEM]: 'rejected', [OTHER]: 'lost' })
  })
})

itInDepth(
  'the rules of the SSO provider: a rule that a hand added does not turn the refused one into an edit',
  async () => {
    const folder = newFolder('beside')
    const env = {
      PLUMBLINE_AUTHELIA: checkCommand(
        folder,
        `grep -q new.example.com "$1" && { echo 'rule 2 is unwelcome' >&2; exit 1; }`,
      ),
    }
    await using at = await openSsoHouse({ opened: false, env, wrap: {} })
    const id = await createActive(at.call)
    const fresh = await create(at.call, { domain: 'new.example.com' })
    expect((await at.call('POST', `/api/domains/${fresh}/activate`)).status).toBe(502)
    const rules = at.rules()
    expect((await told(at, 'sso', [id, fresh])).drift).toEqual({ 'new.example.com': 'rejected' })
    writeFileSync(
      at.rules_path,
      rules.replace(/^( *)- domain/m, `$1- domain: 'hand.example.com'\n$1  policy: bypass\n$1- domain`),
    )
    const found = await told(at, 'sso', [id, fresh])
    expect(found.drift).toEqual({ 'new.example.com': 'rejected', 'hand.example.com': 'edited' })
    expect(found.health).toEqual(found.drift)
    expect(found.explain).toEqual([null, 'rejected'])
    expect(found.detail('new.example.com')).toContain('rule 2 is unwelcome')
  },
)
