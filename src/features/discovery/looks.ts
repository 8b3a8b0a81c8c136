/** One round of looks at everything that is configured, and what is told of each source. */
import { isoTime } from '../../kernel/clock.ts'
import type { Guests } from './model/guests-port.ts'
import type {
  Containers,
  ControllerState,
  HostPlace,
  LabLook,
  SiteState,
  SourceKind,
} from './model/lab-port.ts'
import type { DiscoveryService } from './service.ts'
import type { SourceView } from './views.ts'

export interface HostLook {
  readonly name: string
  readonly place: HostPlace
  readonly look: LabLook<Containers>
}

export interface ClusterLook {
  readonly name: string
  readonly look: LabLook<Guests>
}

export interface ControllerLook {
  readonly name: string
  readonly look: LabLook<ControllerState>
}

export interface Looks {
  readonly hosts: readonly HostLook[]
  readonly clusters: readonly ClusterLook[]
  readonly controllers: readonly ControllerLook[]
}

export const lookAtHosts = ({ hosts }: DiscoveryService): Promise<readonly HostLook[]> =>
  Promise.all(
    hosts.map(async ({ place, containers }) => ({
      name: containers.name,
      place,
      look: await containers.get(),
    })),
  )

export const lookAtControllers = ({ controllers }: DiscoveryService): Promise<readonly ControllerLook[]> =>
  Promise.all(controllers.map(async (look) => ({ name: look.name, look: await look.get() })))

export const lookAtClusters = ({ clusters }: DiscoveryService): Promise<readonly ClusterLook[]> =>
  Promise.all(clusters.map(async (look) => ({ name: look.name, look: await look.get() })))

export const clusterSources = (looks: readonly ClusterLook[]): readonly SourceView[] =>
  sources('proxmox', looks, ({ guests, templates, unreadable, missing }) => ({
    count: guests.length + templates.length,
    unreadable,
    detail: missing,
  }))

export const hostSources = (looks: readonly HostLook[]): readonly SourceView[] =>
  sources('docker', looks, ({ containers, unreadable }) => ({ count: containers.length, unreadable }))

export const controllerSources = (looks: readonly ControllerLook[]): readonly SourceView[] =>
  sources('unifi', looks, ({ sites }) => ({
    count: sum(sites.map(({ hosts }) => hosts.length)),
    unreadable: sum(sites.map(({ unreadable }) => unreadable)),
    detail: listsMissing(sites),
  }))

/** Null where each list of each site was read. */
export function listsMissing(sites: readonly SiteState[]): string | null {
  const missing = sites.flatMap((site) => site.missing)
  return missing.length === 0 ? null : `${missing.join('; ')}.`
}

/** True where every source is known, if not in whole; null where none is configured. */
export const isKnown = (views: readonly SourceView[]): boolean | null =>
  views.some(({ configured }) => configured) ? views.every(({ known }) => known !== false) : null

/** True where every source is known and has told all that it has. */
export const isComplete = (views: readonly SourceView[]): boolean | null =>
  isKnown(views) === true ? views.every(({ detail }) => detail === null) : isKnown(views)

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

function sources<State>(
  kind: SourceKind,
  looks: readonly { readonly name: string; readonly look: LabLook<State> }[],
  figures: (state: State) => Pick<SourceView, 'count' | 'unreadable'> & Partial<Pick<SourceView, 'detail'>>,
): readonly SourceView[] {
  const failure = { reason: null, detail: null }
  if (looks.length === 0)
    return [
      {
        kind,
        configured: false,
        name: null,
        known: null,
        ...failure,
        observed_at: null,
        count: null,
        unreadable: 0,
      },
    ]
  return looks.map(({ name, look }) => {
    const seen = { kind, configured: true, name, known: look.known, observed_at: isoTime(look.at) }
    return look.known
      ? { ...seen, ...failure, ...figures(look.state) }
      : { ...seen, reason: look.reason, detail: look.detail, count: null, unreadable: 0 }
  })
}
