/** Which keys there are, in which order, and whose they are. */
import { describe, expect, it } from 'vitest'
import { Components, concerning } from '../../src/engine/components.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import type { Intent } from '../../src/model/intent.ts'
import { anIntent } from '../fixtures.ts'
import { itemTarget } from './item-target.ts'

const aTarget = (key: string, over: Partial<AnyTarget> = {}) =>
  itemTarget({ name: key.split(':')[0]!, key, ...over })
const A = { domain_id: 1, domain: 'a.example.com' }
const B = { domain_id: 2, domain: 'b.example.com' }

describe('components', () => {
  const zones = new Map([A, B].map(({ domain }) => [domain, aTarget(`dns:${domain}`)]))
  const family = {
    ...aTarget('dns'),
    targetsFor: ({ rows }: Intent) => rows.map(({ fields }) => zones.get(fields.domain)!),
  }
  const sources = [family, aTarget('sso', { may_be_ignored: true }), aTarget('routes'), aTarget('sso:2')]
  const components = new Components(sources)

  it('are named once each, in the order of work', () => {
    expect(components.names()).toEqual(['dns', 'sso', 'routes'])
    expect(components.blueprints).toBe(sources)
  })

  it('have the keys of all editions, each once, in the order of work', () => {
    const keys = (...editions: readonly Intent[]) => components.targetsFor(...editions).map(({ key }) => key)
    const others = ['sso', 'routes', 'sso:2']
    expect(keys(anIntent(B), anIntent(A, B))).toEqual(['dns:b.example.com', 'dns:a.example.com', ...others])
    expect(keys(anIntent())).toEqual(others)
  })

  it('have differences that may stay where one of their keys says so', () => {
    expect(['dns', 'sso', 'routes', 'nobody'].map((name) => components.mayBeIgnored(name))).toEqual([
      false,
      true,
      false,
      false,
    ])
  })
})

describe('a key has to do', () => {
  const ofA = aTarget('a', { concerns: ({ fields }) => fields.domain === A.domain })
  const ofAll = aTarget('all')
  const [released, working] = [anIntent({ ...A }), anIntent({ ...A, domain: 'new.example.com' }, B)]

  it.each<[what: string, records: 'all' | readonly number[], editions: readonly Intent[], both: boolean[]]>([
    ['with all of them', 'all', [], [true, true]],
    ['with nobody’s, none', [], [released], [false, false]],
    ['with a record that it concerns, as any edition has it', [1], [working, released], [true, true]],
    ['with none as no edition has it', [1], [working], [false, true]],
    ['with no other record', [2], [working, released], [false, true]],
  ])('%s', (_what, records, editions, both) => {
    expect([ofA, ofAll].map(concerning(records, ...editions))).toEqual(both)
  })

  it('with every record where it does not say, also one that no edition has', () => {
    expect([ofA, ofAll].map(concerning([9], released))).toEqual([false, true])
  })
})
