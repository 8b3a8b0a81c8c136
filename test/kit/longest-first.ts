/**
 * The order of files: what waits longest begins first, so that a run does not end with one worker at work. Vitest knows how
 * long a file took only where it ran before, and a fresh clone never did. In the gate those that wait and those that work come
 * in turns; in depth all are shuffled, and the long ones are spread among the others.
 */
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { SEED } from './tier.ts'

const LONGEST = [
  'flows/prometheus',
  'faults/seeded-bugs',
  'flows/domains-command',
  'flows/dns-kill',
  'store/store',
  'flows/people-kill',
  'faults/power-cuts',
  'faults/errors',
  'flows/quickstart',
  'flows/audit',
  'flows/console-journeys',
  'documents/examples',
  'flows/dns-lifecycle',
  'flows/false-greens',
  'faults/syscalls',
  'faults/failpoints',
  'fuzz/dns/misbehaviour',
  'flows/older-database',
  'flows/vpn',
  'flows/plans',
  'flows/sso-attacks',
  'flows/people',
  'flows/dns-lies',
  'features/dns/providers/hetzner',
  'flows/ssh-targets',
  'faults/two-daemons',
  'features/dns/providers/cloudflare',
]

/** In depth, in seconds on a quiet machine. Most of them wait rather than work. */
const LONG_IN_DEPTH: readonly (readonly [file: string, seconds: number])[] = [
  ['flows/health-faults.deep.test.ts', 330],
  ['flows/escalation-five-minutes.deep.test.ts', 320],
  ['flows/described-outside.deep.test.ts', 230],
  ['flows/older-database-sftp.deep.test.ts', 205],
  ['flows/hanging-peers.deep.test.ts', 150],
  ['flows/escalation.deep.test.ts', 130],
  ['flows/older-database.test.ts', 130],
  ['features/ssh-clients/sshd/authorized-keys.test.ts', 128],
  ['flows/ssh-gateway.test.ts', 120],
  ['flows/dns-after-loaded.test.ts', 115],
  ['flows/provider-restarts.test.ts', 110],
  ['flows/shared-renderings.test.ts', 105],
  ['fuzz/dns/misbehaviour.test.ts', 96],
  ['flows/attacked.test.ts', 80],
  ['flows/console-journeys.test.ts', 76],
  ['flows/people-rush.deep.test.ts', 75],
  ['flows/console-reader.deep.test.ts', 70],
  ['flows/gone-back-later.deep.test.ts', 67],
  ['flows/import-meaning.test.ts', 66],
  ['flows/dns-lies.test.ts', 63],
  ['flows/console-estate.deep.test.ts', 63],
  ['flows/console-acts.deep.test.ts', 62],
  ['flows/expose-late.test.ts', 62],
  ['flows/ssh-clients.test.ts', 60],
  ['features/dns/providers/rfc2136.test.ts', 60],
  ['model-based/model-based.test.ts', 60],
  ['flows/prometheus-alerts.test.ts', 55],
  ['documents/examples.test.ts', 50],
  ['faults/failpoints.test.ts', 50],
]
/** What each of all others takes in the middle. */
const OTHERS_S = 4
/** So long a file would be alone at the end, if it began late. */
const EARLY_S = 200

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}

const secondsOf = ({ moduleId }: TestSpecification): number =>
  LONG_IN_DEPTH.find(([file]) => moduleId.endsWith(`test/${file}`))?.[1] ?? OTHERS_S

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Long ones in between the others, at one pace: at no time do all workers wait, and at none do all of them work. */
export class ShuffledMixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const shuffled = files.toSorted((a, b) => (lotOf(a) < lotOf(b) ? -1 : 1))
    const others = shuffled.filter((file) => secondsOf(file) === OTHERS_S)
    const long = shuffled.filter((file) => secondsOf(file) > OTHERS_S)
    const early = long.filter((file) => secondsOf(file) >= EARLY_S)
    return mixed([...early, ...long.filter((file) => !early.includes(file))], others)
  }
}

function mixed(long: TestSpecification[], others: TestSpecification[]): TestSpecification[] {
  let ahead_s = 0
  const left = long.values()
  const order = others.flatMap((file) => {
    const next = ahead_s <= 0 ? left.next().value : undefined
    ahead_s += (next === undefined ? 0 : secondsOf(next)) - OTHERS_S
    return next === undefined ? [file] : [next, file]
  })
  return [...order, ...left]
}

/** Its place in the shuffle: another for each seed, the same for the same. */
const lotOf = ({ moduleId }: TestSpecification): string =>
  createHash('sha256')
    .update(`${SEED} ${relative('.', moduleId)}`)
    .digest('hex')
