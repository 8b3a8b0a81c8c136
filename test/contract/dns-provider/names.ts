/** Names at the edges of what DNS allows. */
import {} from 'vitest'
import { eachProvider, type OpenProvider } from './opened.ts'
import { steps } from './steps.ts'
import { itInDepth, itOneIn } from '../../kit/in-depth.ts'

const A = ['192.0.2.1']

/** A name of exactly 253 octets, the longest that there is (RFC 1035 §2.3.4), in labels of at most 63. */
function longestName(zone: string): string {
  let left = 253 - zone.length
  let name = zone
  while (left > 0) {
    // No rest of one octet: a label has a dot beside it.
    const octets = left > 65 ? 63 : left === 65 ? 62 : left - 1
    name = `${'n'.repeat(octets)}.${name}`
    left -= octets + 1
  }
  return name
}

export function namesContract(open: OpenProvider): void {
  const opened = eachProvider(open)

  itOneIn(4).each([
    ['of one letter', (zone: string) => `a.${zone}`],
    ['of digits alone', (zone: string) => `42.${zone}`],
    ['far below the apex', (zone: string) => `a.b.c.d.e.f.${zone}`],
    ['below a name that does not exist, and that name itself', (zone: string) => `below.nothing.${zone}`],
    ['in A-label form', (zone: string) => `xn--bcher-kva.${zone}`],
    ['with hyphens', (zone: string) => `a-b--c.${zone}`],
    ['with a label of 63 octets', (zone: string) => `${'l'.repeat(63)}.${zone}`],
    ['of 253 octets', longestName],
    ['that is the apex', (zone: string) => zone],
    ['that is a wildcard', (zone: string) => `*.${zone}`],
    ['that is a wildcard further down', (zone: string) => `*.apps.${zone}`],
  ])('a name %s', async (_, nameIn) => {
    const name = nameIn(opened().zone)
    const set = { name, type: 'A', values: A }
    await steps(opened(), [set], [{ ...set, values: ['192.0.2.2', '192.0.2.3'] }], [{ ...set, values: null }])
  })

  itInDepth('a name with underscores, as marks and services have', async () => {
    const name = `_plumbline.app.${opened().zone}`
    const set = { name, type: 'TXT', values: ['v=1'] }
    await steps(opened(), [set], [{ ...set, values: ['v=2'] }], [{ ...set, values: null }])
  })

  itInDepth('a wildcard and the names that it covers are sets of their own', async () => {
    const { zone } = opened()
    const set = (name: string, values: readonly string[] | null) => ({ name, type: 'A', values })
    await steps(
      opened(),
      [set(`*.${zone}`, ['192.0.2.1']), set(`app.${zone}`, ['192.0.2.2'])],
      [set(`*.${zone}`, null)],
      [set(`*.${zone}`, ['192.0.2.3']), set(`app.${zone}`, null)],
    )
  })

  itInDepth('names that begin or end alike are not mistaken for one another', async () => {
    const { zone } = opened()
    const set = (label: string, values: readonly string[] | null) => ({
      name: `${label}.${zone}`,
      type: 'A',
      values,
    })
    const labels = ['app', 'app2', 'my-app', 'app.app', `app.${zone}`]
    await steps(
      opened(),
      labels.map((label) => set(label, A)),
      [set('app', null)],
      [set('app', A), set('app.app', null)],
    )
  })
}
