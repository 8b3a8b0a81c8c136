/**
 * The order of files in the gate: what waits longest begins first, so that the run does not end with one worker at work;
 * those that wait and those that work in turns. Vitest knows how long a file took only where it ran before, and a fresh clone never did.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [
  'flows/prometheus',
  'store/store',
  'flows/gone-back-kill',
  'features/dns/providers/rfc2136',
  'flows/dns-kill',
  'flows/dns-lifecycle',
  'faults/errors',
  'faults/seeded-bugs',
  'features/dns/providers/powerdns',
  'flows/quickstart',
  'fuzz/dns/misbehaviour',
  'flows/sso-attacks',
  'flows/people-kill',
  'faults/failpoints',
  'flows/false-greens',
  'flows/dns-lies',
  'faults/power-cuts',
  'flows/served',
  'flows/ddns',
  'faults/syscalls',
  'flows/notifications',
  'flows/older-database',
  'flows/outranked',
  'flows/database-lost',
  'flows/releases',
  'flows/expose-late',
  'flows/backend-tls',
  'features/dns/providers/cloudflare',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
