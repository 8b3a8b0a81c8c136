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
  'store/store',
  'flows/dns-lifecycle',
  'features/dns/providers/rfc2136',
  'flows/gone-back-kill',
  'flows/quickstart',
  'faults/errors',
  'flows/false-greens',
  'faults/seeded-bugs',
  'features/dns/providers/powerdns',
  'flows/people-kill',
  'faults/power-cuts',
  'flows/dns-kill',
  'faults/failpoints',
  'flows/sso-attacks',
  'faults/syscalls',
  'fuzz/dns/misbehaviour',
  'flows/notifications',
  'flows/command-process',
  'flows/older-database',
  'flows/backend-suggested',
  'flows/dns-lies',
  'flows/outranked',
  'flows/health-faults',
  'flows/backend-tls',
  'flows/notifications-kill',
  'flows/ddns',
  'flows/revocation-reach',
  'flows/lifecycle',
  'flows/ddns-given-up',
  'flows/certificates-served',
  'flows/expose-late',
  'flows/loaded',
  'flows/proxy-credentials',
  'features/dns/providers/zonefile',
  'flows/ssh-gateway',
  'flows/challenge-records',
  'flows/ssh-clients',
  'faults/two-daemons',
  'faults/terminated',
  'flows/gone-back-later',
]

/** In depth; a minute and more on a quiet machine. */
const LONG_IN_DEPTH = [
  'flows/health-faults.test.ts',
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
