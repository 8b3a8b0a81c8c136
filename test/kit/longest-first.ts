/**
 * The order of files in the gate: what waits longest begins first, so that the run does not end with one worker at work;
 * those that wait and those that work in turns. Vitest knows how long a file took only where it ran before, and a fresh clone never did.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

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

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
