/** What `plumbline plan` says of a plan, and that it promises nothing of what is served. */
import { expect, it } from 'vitest'
import { tellPlan } from '../../src/cli/verbs/plan.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import type { Plan } from '../../src/model/plan.ts'

const EMPTY = { rows: [], actions: [], guards: [], refused: [], warnings: [], inputs: [], unified_diff: null }

function told(plan: object): string {
  const lines: string[] = []
  const terminal = {
    out: (line: string) => void lines.push(line),
    note: (line: string) => void lines.push(line),
  }
  tellPlan({ ...EMPTY, complete: true, ...plan } as unknown as Plan, terminal as unknown as Terminal)
  return lines.join(' ')
}

it('nothing to do is nothing to write: somebody else may be served in its place', () => {
  expect(told({})).toContain('what the plan asks for is written. Whether it is served: plumbline drift.')
  expect(told({})).not.toContain('the world is')
  expect(told({ complete: false })).toContain('not everything could be read')
})
