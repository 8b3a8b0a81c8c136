/**
 * The order of files in the gate: what waits longest begins first, so that the run does not end with one worker at work;
 * those that wait and those that work in turns. Vitest knows how long a file took only where it ran before, and a fresh clone never did.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [
  'fuzz/dns/misbehaviour',
  'faults/failpoints',
  'adapters/dns/zonefile',
  'flows/health-faults',
  'faults/errors',
  'flows/false-greens',
  'adapters/dns/powerdns',
  'faults/seeded-bugs',
  'flows/ssh-gateway',
  'adapters/dns/rfc2136',
  'flows/provider-restarts',
  'flows/dns-lies',
  'flows/loaded',
  'flows/older-database',
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
