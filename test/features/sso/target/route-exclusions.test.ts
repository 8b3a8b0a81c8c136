/** Which routes are kept out while it is not known which rules the provider runs. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { RefusedRules } from '../../../../src/features/sso/target/refused.ts'
import { RouteExclusions } from '../../../../src/features/sso/target/route-exclusions.ts'
import { RulesView } from '../../../../src/features/sso/target/rules-view.ts'
import { parseSitePolicies } from '../../../../src/features/sso/target/policies.ts'
import { ssoDesired, type SsoSettings } from '../../../../src/features/sso/target/desire.ts'
import type { SsoLoad } from '../../../../src/features/sso/records.ts'
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { changedAt } from '../../../../src/kernel/changed-at.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import type { RestartWay } from '../../../../src/ports/sso-provider.ts'
import { movedClock } from '../../../kit/moved-clock.ts'
import { rowOf } from './rows.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const ADMIN = 'admin.example.com'
const HOUR = 3_600_000
const STAR = rowOf({ domain: '*.example.com' })
const BOTH = { rows: [STAR, rowOf({ domain: ADMIN })] }
const SETTINGS: SsoSettings = {
  default_policy: 'one_factor',
  policies: parseSitePolicies({
    policies: [{ domain: ADMIN, access: [{ groups: ['admins'], policy: 'two_factor' }] }],
  }).policies,
}

let folder: string
let path: string
beforeEach(() => {
  folder = newFolder('exclusions')
  path = join(folder, 'access-control.yml')
})

const ranWith = (text: string): SsoLoad => ({ place: path, stamp: '1 1 1', text, at: 1, started_at: 1 })
const away = () => Promise.reject(new Failure('component_unavailable', 'docker: the socket is gone.'))

interface Facts {
  readonly restarts: RestartWay
  readonly load: SsoLoad | null
  readonly startedAt?: () => Promise<number | null>
  readonly is_under_way?: boolean
}

/** The names that are kept out, with the rules of both in the file. */
async function keptOut(facts: Facts, before = async (_view: RulesView) => {}): Promise<readonly string[]> {
  const { restarts, load, startedAt = away, is_under_way = false } = facts
  const records = { quarantine: async () => [], ssoLoad: async () => load }
  const store = {
    of: () => records,
    intent: async () => BOTH,
    latestRelease: async () => null,
    artifact: async () => null,
  }
  const view = new RulesView({
    file: managedFile(path, { max_bytes: 1e6, log: silentLog }),
    changed: () => changedAt(path),
    provider: { restarts, startedAt },
    restarts: { is_under_way },
    store,
    read: async (text: string) => yamlDocuments.read(text),
  } as never)
  await before(view)
  const exclusions = new RouteExclusions({ settings: SETTINGS, store: store as never, view })
  return (await exclusions.excluded(AbortSignal.timeout(10_000))).map(({ domain }) => domain)
}

describe('the file has both rules, and the provider came up with that of the star alone', () => {
  beforeEach(() => writeFileSync(path, ssoDesired(BOTH, SETTINGS).text))
  const load = () => ranWith(ssoDesired({ rows: [STAR] }, SETTINGS).text)

  it('a provider that we restart, and that cannot be asked, runs what it ran: the name waits', async () => {
    expect(await keptOut({ restarts: 'docker', load: load() })).toEqual([ADMIN])
    expect(await keptOut({ restarts: 'command', load: load(), startedAt: async () => null })).toEqual([ADMIN])
  })

  it('one that says that it was started since runs the file', async () => {
    const since = async () => Date.now() + HOUR
    expect(await keptOut({ restarts: 'docker', load: load(), startedAt: since })).toEqual([])
  })

  it('one that somebody else restarts may have been, and nothing is known of one that was never seen', async () => {
    const startedAt = async () => null
    expect(await keptOut({ restarts: 'none', load: load(), startedAt })).toEqual([])
    expect(await keptOut({ restarts: 'watched', load: load(), startedAt })).toEqual([])
    expect(await keptOut({ restarts: 'docker', load: null })).toEqual([])
  })

  it('one that a path unit restarts runs what it ran until that is over', async () => {
    const facts = { restarts: 'watched', load: load(), startedAt: async () => null } as const
    expect(await keptOut({ ...facts, is_under_way: true })).toEqual([ADMIN])
  })

  it('nor does it wait for one over rules with which it came up, seen or not', async () => {
    const facts = {
      restarts: 'watched',
      load: load(),
      startedAt: async () => null,
      is_under_way: true,
    } as const
    const cameUp = async (view: RulesView) => view.cameUp(ssoDesired(BOTH, SETTINGS).text)
    expect(await keptOut(facts, cameUp)).toEqual([])
  })

  it('what was seen to run counts before what was kept', async () => {
    let times = 0
    const seen = async (view: RulesView) => void (await view.look(AbortSignal.timeout(10_000)))
    const startedAt = async () => (times++ === 0 ? Date.now() + HOUR : away())
    expect(await keptOut({ restarts: 'docker', load: load(), startedAt }, seen)).toEqual([])
  })

  it('a path unit has restarted nothing while the rules are still being written', async () => {
    const facts = { restarts: 'watched', load: load(), startedAt: async () => null } as const
    const writing = async (view: RulesView) =>
      void view.whileWritten(() => new Promise((resolve) => setTimeout(resolve, 5000).unref()))
    expect(await keptOut(facts, writing)).toEqual([ADMIN])
  })

  it('the file is gone: it runs what it ran', async () => {
    rmSync(path)
    expect(await keptOut({ restarts: 'docker', load: load() })).toEqual([ADMIN])
  })
})

it('rules that were refused while the clock was ahead are tried again once it is set right', async () => {
  const debts = new Map<string, number>()
  const records = {
    debt: async (row: string) => debts.get(row) ?? null,
    owe: async (row: string, since: number) => void debts.set(row, since),
  }
  const store = {
    of: () => records,
    write: async (work: (tx: object) => unknown) => work({ of: () => records }),
  }
  const clock = movedClock()
  const refused = new RefusedRules(store as never, clock)
  clock.step(10 * 24 * HOUR)
  await refused.byRestart('by restart', 'It did not come up.')
  refused.byCheck('by check', 'It says no.')
  expect([await refused.whyNot('by restart'), await refused.whyNot('by check')]).toEqual([
    'It did not come up.',
    'It says no.',
  ])
  clock.step(-10 * 24 * HOUR)
  for (const same of [refused, new RefusedRules(store as never, clock)])
    expect([await same.whyNot('by restart'), await same.whyNot('by check')]).toEqual([null, null])
})
