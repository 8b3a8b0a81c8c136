/**
 * The order of files in the gate: what waits longest begins first, so that the run does not end with one worker at work;
 * those that wait and those that work in turns. Vitest knows how long a file took only where it ran before, and a fresh clone never did.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [
  'flows/expose-late',
  'flows/health-faults',
  'fuzz/dns/misbehaviour',
  'flows/false-greens',
  'faults/failpoints',
  'flows/sso-proof-times',
  'flows/ddns-clients-live',
  'adapters/dns/rfc2136',
  'flows/loaded',
  'flows/ssh-gateway',
  'faults/power-cuts',
  'flows/api-keys',
  'flows/certificates-served',
  'flows/dns-lifecycle',
  'faults/errors',
  'flows/revocation-reach',
  'flows/quickstart',
  'flows/served',
  'flows/backend-tls',
  'flows/notifications',
  'flows/older-database',
  'adapters/dns/powerdns',
  'faults/seeded-bugs',
  'flows/provider-restarts',
  'flows/dns-lies',
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
