/** A target over a world in memory, so that the engine's rules can be tried without files. It keeps the whole contract. */
import type { AnyTarget, Difference, Hint, Observation, Repair } from '../../src/engine/target.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { Failure } from '../../src/kernel/failure.ts'
import type { Intent } from '../../src/model/intent.ts'

export interface FakeWorld {
  content: string | null
  /** What the next look or write does instead of working. */
  look: 'works' | 'unknown' | 'hangs'
  write: 'works' | 'refuses' | 'throws' | 'is_undone' | 'hangs' | 'takes_long'
  looks: number
  writes: string[]
  evidence: boolean[]
  hint: Hint
}

export const fakeWorld = (content: string | null = null): FakeWorld => ({
  content,
  look: 'works',
  write: 'works',
  looks: 0,
  writes: [],
  evidence: [],
  hint: () => undefined,
})

/** The desired state of a fake: the live names, a line each. */
const wantedBy = (intent: Intent): string =>
  intent.rows
    .filter((row) => row.live)
    .map((row) => `${row.fields.domain} ${row.fields.backend_port}\n`)
    .join('')

export function fakeTarget(world: FakeWorld, options: Partial<AnyTarget> = {}): AnyTarget {
  return {
    name: 'fake',
    key: 'fake',
    artifact: options.key ?? 'fake',
    every_ms: 1000,
    full_look_every_ms: 3_600_000,
    deadline_ms: 2000,
    backoff: { first_ms: 1000, max_ms: 300_000 },
    whole: true,
    place: 'memory',
    reads: ['domains'],
    desire: wantedBy,
    codec: {
      freeze: (desired) => ({
        digest: sha256([desired as string]),
        chunks: [Buffer.from(desired as string)],
      }),
      thaw: (chunks) => Buffer.concat(chunks).toString(),
    },
    glance: () => world.content,
    observe: (signal) => observe(world, signal),
    diff: (desired, observed) => diff(desired as string, observed as string | null),
    apply: (_differences, desired, context) => {
      world.evidence.push(context.evidence)
      return apply(world, desired as string, context.signal)
    },
    explain: () => ({ differences: [], unified_diff: null, note: null }),
    watch: (hint) => {
      world.hint = hint
      return { close: () => undefined }
    },
    ...options,
  }
}

const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

async function observe(world: FakeWorld, signal: AbortSignal): Promise<Observation<string | null>> {
  world.looks++
  const at = Date.now()
  if (world.look === 'hangs') await forever(signal)
  if (world.look === 'unknown')
    return { known: false, reason: 'unreadable', detail: 'the fake is unreadable', at }
  return { known: true, state: world.content, digest: sha256([world.content ?? '(absent)']), at }
}

function diff(desired: string, observed: string | null): Difference<null>[] {
  if (desired === observed) return []
  const verb = observed === null ? 'create' : 'update'
  return [{ key: 'fake', verb, item: 'the fake', before: observed, after: desired, payload: null }]
}

async function apply(world: FakeWorld, desired: string, signal: AbortSignal): Promise<Repair[]> {
  if (world.write === 'hangs') await forever(signal)
  if (world.write === 'throws') throw new Failure('storage_full', 'the fake is full')
  if (world.write === 'takes_long')
    return [
      {
        key: 'fake',
        ok: false,
        failure: { code: 'component_unavailable', message: 'half done', retry_after_ms: 60_000 },
        unfinished: true,
      },
    ]
  if (world.write === 'refuses')
    return [
      {
        key: 'fake',
        ok: false,
        failure: { code: 'rate_limited', message: 'slow down', retry_after_ms: 90_000 },
      },
    ]
  world.writes.push(desired)
  world.content = world.write === 'is_undone' ? 'a stranger was faster' : desired
  return [{ key: 'fake', ok: true }]
}
