/** The hosts that a routes file names are those that were rendered into it, wildcards and TCP among them. */
import { expect, it } from 'vitest'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { hostsIn } from '../../../../src/features/routes/opens/hosts-in.ts'
import { anIntent } from '../../../fixtures.ts'
import { someSettings } from './settings.ts'

const NAMES = ['a.example.com', '*.wild.example.com', 'xn--bcher-kva.example.com', 'tls.example.com']

it.each([[[3, 0, 0]], [[3, 7, 0]]] as const)('of a proxy of version %j', (traefik_version) => {
  const rows = NAMES.map((domain, i) =>
    domain.startsWith('tls')
      ? { domain, domain_id: i + 1, service_type: 'tcp-proxy' as const }
      : { domain, domain_id: i + 1 },
  )
  const { chunks } = renderRoutes(anIntent(...rows), someSettings({ traefik_version }))
  expect(hostsIn(Buffer.concat(chunks).toString('utf8'))).toEqual([...NAMES].sort())
})

it('what people write by hand counts too, and what catches everything does not', () => {
  const text = 'rule: Host(`b.example.com`) || Host("C.example.com")\nrule: HostSNI(`*`)\n# Host(broken'
  expect(hostsIn(text)).toEqual(['b.example.com', 'c.example.com'])
})
