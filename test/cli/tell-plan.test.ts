/** What `plumbline plan` says of a plan, and that it promises nothing of what is served. */
import { expect, it } from 'vitest'
import { tellPlan } from '../../src/cli/text/tell-plan.ts'
import type { Plan } from '../../src/model/plan.ts'

const EMPTY = {
  rows: [],
  actions: [],
  guards: [],
  refused: [],
  left: [],
  warnings: [],
  inputs: [],
  unified_diff: null,
}

function told(plan: object): string {
  const lines: string[] = []
  const terminal = {
    out: (line: string) => void lines.push(line),
    note: (line: string) => void lines.push(line),
  }
  tellPlan({ ...EMPTY, complete: true, ...plan } as unknown as Plan, terminal)
  return lines.join(' ')
}

it('nothing to do is nothing to write: somebody else may be served in its place', () => {
  expect(told({})).toContain('Nothing to do. Whether the proxy serves what is written: plumbline drift.')
  expect(told({})).not.toContain('the world is')
  expect(told({ complete: false })).toContain('not everything could be read')
})

it('what a mode leaves is never "nothing to do": which mode, until when and why', () => {
  const one = { component: 'dns', key: 'dns:example.com', mode: 'suspend', reason: 'moving', until: 0 }
  const text = told({ left: [{ ...one, differences: 2 }] })
  expect(text).not.toContain('Nothing to do')
  expect(text).toContain(
    'dns:example.com is not as the plan asks for, and suspend mode leaves it alone until 1970-01-01 00:00:00Z: moving. How it differs: plumbline drift.',
  )
  expect(told({ left: [{ ...one, until: null, reason: '', differences: 2 }] })).toContain(
    'leaves it alone until it is taken back. How',
  )
  const unread = told({ left: [{ ...one, differences: 2 }], complete: false })
  expect(unread).toContain('Unknown: not everything could be read. dns:example.com is not')
})

it('says of every action what it changes, and all that stands against the plan', () => {
  const action = { component: 'dns', verb: 'update', item: 'app.example.com A', reason: 'release', needs: [] }
  const text = told({
    hash: 'abc',
    actions: [
      { ...action, before: '192.0.2.1', after: '203.0.113.7' },
      {
        ...action,
        item: 'abc.example.com A',
        before: null,
        after: '203.0.113.8',
        reason: 'repair',
        of_neighbour: true,
      },
    ],
    guards: [{ rule: 'bulk_removal', message: 'Too many.', confirmable: true }],
    warnings: ['Mind the gap.'],
    inputs: [{ component: 'ssh', digest: null, detail: 'away' }],
    unified_diff: '--- a\n+++ b',
  })
  expect(text).toMatch(/~ {2}app\.example\.com A {2}dns: update {2}192\.0\.2\.1 -> 203\.0\.113\.7/)
  for (const part of [
    'dns: update (repair, for another domain)',
    'guard bulk_removal: Too many. If it is meant, repeat the command with --confirm abc',
    'warning: Mind the gap.',
    'unknown: ssh could not be read: away',
    '+++ b',
  ])
    expect(text).toContain(part)
})

it('names the host that a rename leaves behind, unless another record takes it', () => {
  const row = { domain_id: 1, domain: 'new.example.com', change: 'update', revision: 2 }
  const renamed = { ...row, renamed_from: 'old.example.com' }
  const text = told({ rows: [renamed] })
  expect(text).toContain('~  new.example.com  goes live as saved (revision 2), was old.example.com')
  expect(text).toContain('old.example.com will no longer be served. 0 to add, 1 to change, 0 to remove.')
  const taken = told({ rows: [renamed, { ...row, domain_id: 2, domain: 'old.example.com', change: 'add' }] })
  expect(taken).not.toContain('no longer be served')
  expect(told({ rows: [{ ...renamed, change: 'remove' }] })).toContain(
    'old.example.com will no longer be served.',
  )
})
