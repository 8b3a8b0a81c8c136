/** `plumbline status` where no daemon runs: the first look at the rules of the database is waited for, and not without end. */
import { expect, it } from 'vitest'
import type { Api, ApiRequest } from '../../../src/cli/api.ts'
import { runCommand } from '../../../src/cli/run.ts'
import type { HealthAnswer } from '../../../src/features/health/read-health.ts'
import { tellHealth } from '../../../src/features/health/tell-health.ts'
import { suspendedWords } from '../../../src/model/mode.ts'
import { surroundingsOf } from '../../../src/surroundings.ts'
import { VERBS } from '../../../src/verbs.ts'

const rule = (name: string, holds: boolean | null) => ({
  name,
  promise: 'Kept.',
  holds,
  detail: null,
  checked_at: 'now',
})
const UNDER_WAY = { ok: false, drift: null, invariants: [rule('database_rules', null)] }
const KNOWN = { ok: true, drift: false, invariants: [rule('one_revision', true)] }
const COMMON = { summary: 'All.', components: [], observed_at: 'now', probed: true }
const DEPLOYED = {
  timestamp: null,
  loaded: null,
  newest: null,
  warnings: [],
  proxy: { configured: false, detail: null, routers: null, entrypoints_detail: null, not_compared: null },
}

/** The exit code, and how often it was asked, where the look is over at the n-th time. */
async function statusOf(where: string, known_at: number) {
  let asked = 0
  const call = async ({ path }: ApiRequest) => {
    if (path.startsWith('/api/domains?') || path === '/api/conditions')
      return { status: 200, headers: {}, body: [] }
    if (!path.startsWith('/api/control-plane/health')) return { status: 200, headers: {}, body: DEPLOYED }
    asked++
    return { status: 200, headers: {}, body: { ...COMMON, ...(asked >= known_at ? KNOWN : UNDER_WAY) } }
  }
  const api: Api = { where, call, close: async () => undefined }
  const surroundings = { ...surroundingsOf({}), api: async () => api }
  const code = await runCommand(['status'], VERBS, surroundings, {
    out: () => undefined,
    note: () => undefined,
  })
  return { code, asked }
}

function toldOf(part: object): string {
  const page = { ...COMMON, ok: false, drift: true, invariants: [], components: [part] }
  const lines: string[] = []
  const terminal = { out: (line: string) => void lines.push(line), note: () => undefined, json: false }
  tellHealth(page as unknown as HealthAnswer, terminal)
  return lines.join(' ').replaceAll(/\s+/g, ' ')
}

it.each(['It differs from what was released, and the mode only reports it.', 'Somebody changed it.'])(
  'that a mode only reports is told once: %s',
  (message) => {
    const part = { name: 'dns', configured: true, ok: false, drift: true, cause: 'drifting', message }
    const more = { mode: 'observe', suspended_until: null, next_attempt_at: null, observed_at: null }
    const words = toldOf({ ...part, ...more, differences: [], causes: {} })
    expect(words.match(/mode only reports it/g)).toHaveLength(1)
  },
)

it.each([
  [suspendedWords('dns', 'moving the rack'), 'dns is suspended: moving the rack. It is so until '],
  ['It differs from what the database says.', 'It differs from what the database says. Suspended until '],
])('that a part is suspended is told once: %s', (message, said) => {
  const part = {
    name: 'dns:example.org',
    component: 'dns',
    configured: true,
    ok: false,
    drift: null,
    message,
  }
  const more = { mode: 'suspend', suspended_until: '2026-01-01T12:00:00Z', next_attempt_at: null }
  const rest = { observed_at: null, cause: null, reason: 'suspended', differences: [], causes: {} }
  expect(toldOf({ ...part, ...more, ...rest })).toContain(said)
})

it.each([
  ['this process', 1, { code: 3, asked: 1 }],
  ['this process', 3, { code: 3, asked: 3 }],
  ['this process', Infinity, { code: 3, asked: 10 }],
  ['http://127.0.0.1:8080', 3, { code: 3, asked: 1 }],
])('by %s, known at ask %d: %o', async (where, known_at, told) => {
  expect(await statusOf(where, known_at)).toEqual(told)
})
