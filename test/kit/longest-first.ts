/**
 * The order of files: what waits longest begins first, so that a run does not end with one worker at work. Vitest knows how
 * long a file took only where it ran before, and a fresh clone never did. In the gate those that wait and those that work come
 * in turns; in depth all are shuffled, the long ones among themselves.
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

/** In depth; a minute and more on a quiet machine. */
const LONG_IN_DEPTH = [
  'flows/health-faults.deep.test.ts',
  'flows/escalation-five-minutes.deep.test.ts',
  'flows/older-database.test.ts',
  'flows/older-database-sftp.deep.test.ts',
  'flows/described-outside.deep.test.ts',
  'flows/provider-restarts.test.ts',
  'flows/hanging-peers.deep.test.ts',
  'model-based/model-based.test.ts',
  'flows/dns-lies.test.ts',
  'documents/examples.test.ts',
  'faults/failpoints.test.ts',
  'flows/ssh-targets.test.ts',
  'flows/people-kill.test.ts',
  'flows/ssh-clients.test.ts',
  'flows/console-journeys.test.ts',
  'flows/attacked.test.ts',
  'flows/escalation.deep.test.ts',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONG_IN_DEPTH.some((name) => moduleId.endsWith(`test/${name}`))

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export class ShuffledLongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const shuffled = files.toSorted((a, b) => (lotOf(a) < lotOf(b) ? -1 : 1))
    return [...shuffled.filter(isLong), ...shuffled.filter((file) => !isLong(file))]
  }
}

/** Its place in the shuffle: another for each seed, the same for the same. */
const lotOf = ({ moduleId }: TestSpecification): string =>
  createHash('sha256')
    .update(`${SEED} ${relative('.', moduleId)}`)
    .digest('hex')
