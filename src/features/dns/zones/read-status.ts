/** Compares the hosts of the routes file with what the resolvers of the network answer. */
import { type Clock, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import type { ResolverConfig, ResolverRead } from '../resolver/port.ts'
import { within } from '../integrity/bounded.ts'
import { compareHosts, extraOverrides, type ResolverUnit } from '../integrity/compare-hosts.ts'
import { HOST_STATES } from '../views.ts'

export interface DnsStatusParts {
  readonly clock: Clock
  readonly sources: readonly ResolverConfig[]
  /** Addresses of the proxy in the network; empty: only presence is compared. */
  readonly proxy_addresses: readonly string[]
  /** The names in the routes file on disk; null when it cannot be read. */
  readonly routesHosts: () => Promise<readonly string[] | null>
}

const MAX_READ_MS: Milliseconds = 10_000

interface SourceRead {
  readonly source: ResolverConfig
  readonly read: ResolverRead
}

export async function readDnsStatus(parts: DnsStatusParts, signal: AbortSignal) {
  const { clock, sources, proxy_addresses: expected } = parts
  const reads = await Promise.all(sources.map((source) => readInTime(clock, source, signal)))
  const routed = await parts.routesHosts()
  const hosts = [...new Set(routed ?? [])].sort()
  const views = reads.flatMap(({ read }) => (read.ok ? [read.view] : []))
  const compared = sources.length === 0 ? [] : compareHosts(hosts, unitsOf(reads), expected)
  const counts = Object.fromEntries(
    HOST_STATES.map((state) => [state, compared.filter(({ status }) => status === state).length]),
  ) as Record<(typeof HOST_STATES)[number], number>
  const unread = sources.length === 0 ? NOT_CONFIGURED : unreadBecause(reads, routed)
  const is_open = counts.unknown > 0 && counts.missing + counts.wrong === 0
  return {
    configured: sources.length > 0,
    ok: unread !== null || is_open ? null : counts.missing + counts.wrong === 0,
    reason: unread ?? (is_open ? `${counts.unknown} of the hosts cannot be told.` : null),
    checked_at: isoTime(clock.now()),
    expected,
    counts,
    hosts: compared,
    extra: routed === null ? [] : extraOverrides(hosts, views, expected),
    sources: reads.map(shownSource),
  }
}

const NOT_CONFIGURED = 'No resolver is set (PLUMBLINE_RESOLVER_CONFIG).'

async function readInTime(clock: Clock, source: ResolverConfig, signal: AbortSignal): Promise<SourceRead> {
  let read: ResolverRead = {
    ok: false,
    reason: 'unreachable',
    detail: `${source.source} could not be read within ${MAX_READ_MS / 1000} s.`,
  }
  await within({ clock, ms: MAX_READ_MS, signal }, async (inTime) => {
    read = await source.read(inTime)
  })
  return { source, read }
}

/** The files together are one resolver; each API is another. */
function unitsOf(reads: readonly SourceRead[]): ResolverUnit[] {
  const files = reads.filter(({ source }) => source.kind === 'file')
  const apis = reads.filter(({ source }) => source.kind === 'api')
  return [...(files.length > 0 ? [files] : []), ...apis.map((api) => [api])].map((members) => ({
    resolver: members.map(({ source }) => source.source).join(', '),
    views: members.flatMap(({ read }) => (read.ok ? [read.view] : [])),
    has_gaps: members.some(({ read }) => !read.ok || read.gaps.length > 0),
  }))
}

function unreadBecause(reads: readonly SourceRead[], routed: readonly string[] | null): string | null {
  if (routed === null) return 'The routes file could not be read.'
  const failed = reads.flatMap(({ read }) => (read.ok ? [] : [read.detail]))
  return failed.length > 0 ? failed.join(' ') : null
}

const shownSource = ({ source, read }: SourceRead) =>
  read.ok
    ? {
        source: source.source,
        ok: true,
        reason: null,
        detail: null,
        overrides: read.view.overrides.length,
        gaps: read.gaps,
        notes: read.notes,
      }
    : {
        source: source.source,
        ok: false,
        reason: read.reason,
        detail: read.detail,
        overrides: null,
        gaps: [],
        notes: [],
      }
