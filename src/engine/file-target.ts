/** What targets that keep one file have in common: where it is, how it is looked at, and when it is looked at again. */
import type { Clock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Hint, Observation, Target } from './target.ts'

type Unknown = Extract<Observation<never>, { known: false }>['reason']

/** What was found, and what names it. */
export interface FileReading<Observed> {
  readonly state: Observed
  readonly digest: string
}

export interface Looking {
  readonly clock: Clock
  /** What a look that fails says of the world. Left out: it is unreadable. */
  readonly reasonOf?: (failure: Failure) => Unknown
}

/** A look that fails is an answer, never an empty world; a look that was given up, or that has a bug, is thrown. */
export async function observed<Observed>(
  { clock, reasonOf }: Looking,
  signal: AbortSignal,
  look: (signal: AbortSignal) => Promise<FileReading<Observed>>,
): Promise<Observation<Observed>> {
  try {
    const { state, digest } = await look(signal)
    return { known: true, state, digest, at: clock.now() }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    const reason = reasonOf?.(error) ?? 'unreadable'
    return { known: false, reason, detail: error.message, at: clock.now() }
  }
}

interface Watched {
  glance(): string | null
  watch(hint: Hint): { close(): void }
}

type OfFile = 'name' | 'artifact' | 'glance' | 'watch'

/** The key is also the name of the component, which has this one target, and of what a release freezes for it. */
export interface FileTargetParts<Desired, Observed, Payload> extends Omit<
  Target<Desired, Observed, Payload>,
  OfFile
> {
  readonly file: Watched
  /** What the state depends on beside the file: it changes when its own stamp does. */
  readonly beside?: { glance(): string | null }
}

export function fileTarget<Desired, Observed, Payload>({
  file,
  beside,
  ...target
}: FileTargetParts<Desired, Observed, Payload>): Target<Desired, Observed, Payload> {
  const { key } = target
  return {
    ...target,
    name: key,
    artifact: key,
    glance() {
      const own = file.glance()
      if (own === null || beside === undefined) return own
      const other = beside.glance()
      return other === null ? null : `${own}/${other}`
    },
    watch: (hint) => file.watch(hint),
  }
}
