/** Container hosts, clusters of guests and network controllers: known or not. What happens on them is no drift of ours. */
import type { Milliseconds } from '../../kernel/clock.ts'
import type { LabLook } from './model/lab-port.ts'
import type { DiscoveryService } from './service.ts'
import { untilAborted } from '../../kernel/async/until-aborted.ts'
import type { SourceKind } from './model/lab-port.ts'
import { listsMissing } from './looks.ts'
import type { RecentLook } from './recent-look.ts'
import { type HealthCheck, healthy, unknown } from '../../core/check.ts'

const EVERY_MS: Milliseconds = 60_000

export const discoveryChecks = (lab: DiscoveryService): readonly HealthCheck[] => [
  ...checksOf(
    'docker',
    lab.hosts.map(({ containers }) => containers),
    ({ containers, unreadable }) => ({
      containers: containers.length,
      unreadable,
    }),
  ),
  ...checksOf('proxmox', lab.clusters, ({ guests, unreadable }) => ({ guests: guests.length, unreadable })),
  ...checksOf(
    'unifi',
    lab.controllers,
    ({ version, sites }) => ({ version, sites: sites.length }),
    ({ sites }) => listsMissing(sites),
  ),
]

function checksOf<State>(
  component: SourceKind,
  looks: readonly RecentLook<State>[],
  figures: (state: State) => Readonly<Record<string, unknown>>,
  gapOf: (state: State) => string | null = () => null,
): readonly HealthCheck[] {
  const base = { component, kind: 'dependency', every_ms: EVERY_MS } as const
  if (looks.length === 0)
    return [
      {
        ...base,
        name: component,
        configured: false,
        look: () => Promise.resolve(unknown('never_looked', '')),
      },
    ]
  return looks.map((look) => ({
    ...base,
    name: `${component}:${look.name}`,
    configured: true,
    async look({ afresh, signal }) {
      if (afresh) look.changed()
      const seen = await untilAborted(look.get(), signal)
      const gap = seen.known ? gapOf(seen.state) : null
      if (gap === null) return report(seen, figures)
      return unknown('unreadable', `${look.name}: ${gap}`, { observed_at: seen.at })
    },
  }))
}

const report = <State>(look: LabLook<State>, figures: (state: State) => Readonly<Record<string, unknown>>) =>
  look.known
    ? healthy('It answers.', { details: figures(look.state), observed_at: look.at })
    : unknown(look.reason === 'unreadable' ? 'unreadable' : 'unreachable', look.detail, {
        observed_at: look.at,
      })
