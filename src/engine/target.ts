/**
 * The contract of one thing that is kept true. Intent, observation and difference are values; deciding is pure; only
 * `apply` acts. The engine knows targets by this interface alone and never by name.
 */
import type { SidesOf } from '../model/sides/sides.ts'
import type { BackoffPolicy } from '../kernel/async/backoff.ts'
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import type { ExplainedDifference } from '../model/drift.ts'
import type { Intent, IntentPart, IntentRow } from '../model/intent.ts'
import type { Refusal, RefusedRepair } from '../model/report.ts'
import type { Whose } from '../model/whose.ts'
import type { WorldStamp } from '../model/world-stamp.ts'

/** What a release freezes for a component: what it should be, and how that is kept. */
export interface Blueprint<Desired> {
  /** The component: `routes`. Labels, settings and reports use it. */
  readonly name: string
  /** Under which key a release freezes the desired state. All targets of one component share it. */
  readonly artifact: string
  /** Pure. Equal intents give equal desired states. */
  desire(intent: Intent): Desired
  /** The same in pieces, between which others have their turn. Left out: of thousands of records it holds nobody up. */
  desireInPieces?(intent: Intent): Promise<Desired>
  /**
   * What is wanted is no function of domain records: `desire` gives the same for every intent, and it holds before any
   * release has frozen it. Such a target finds what it is to keep in the store when it observes. No deploy waits for it.
   */
  readonly constant?: true
  /**
   * A person may say that a difference stays, while `opens` says that it lets in nobody. Left out: what stands there decides who
   * gets in, or is no state that a person could want.
   */
  readonly may_be_ignored?: true
  /** Keeps a desired state exactly as it was released. */
  readonly codec: Codec<Desired>
}

/** A component whose keys come and go with intent and world, such as one for each DNS zone. */
export interface TargetFamily<Desired> extends Blueprint<Desired> {
  /** The keys that have something to do with this intent. The same key is the same object, always. */
  targetsFor(intent: Intent): readonly AnyTarget[]
}

export interface Target<Desired, Observed, Payload> extends Blueprint<Desired> {
  /** The queue key, the thing that is written atomically. Several targets of one component have a key each. */
  readonly key: string
  /** Resync period; events only bring a look forward. */
  readonly every_ms: Milliseconds
  /** How long a look may rely on `glance` before it must read the world in full. */
  readonly full_look_every_ms: Milliseconds
  /** Observe, apply and look again must all end within this, or the pass has failed. */
  readonly deadline_ms: Milliseconds
  /** How failures in a row space out the tries. */
  readonly backoff: BackoffPolicy
  /** So long at the most a single item waits at which whoever keeps it failed. Left out: as long as the backoff says. */
  readonly failed_item_most_ms?: Milliseconds
  /**
   * True when the whole of what the key names is ours or a stranger's, such as one file. What stood there before our
   * first write is then never overwritten.
   */
  readonly whole: boolean
  /** A command that reads in what stood there, as it is typed; left out: there is none. */
  readonly read_in?: string
  /**
   * Where the key stands in the world, such as a path. At another place nothing was written by us yet: settings that
   * point elsewhere must not make a stranger's file look like ours.
   */
  readonly place: string
  /** Which parts of the intent wake it. */
  readonly reads: readonly IntentPart[]
  /** A cheap stamp of the world that is unchanged only if the world is; null when there is no telling. One call, no write. */
  glance(): string | null
  /**
   * Only reads. Trouble is an answer (`known: false`), never an empty world. `afresh`: a caller asks, so the world itself
   * is read; a cheap stamp may stand for it only where the timer asks. `is_pass`: whoever asks goes on to repair, so our own
   * notes may be brought up to what was found; else nothing follows but an answer, which must not call clean what could not
   * be found out.
   */
  observe(
    signal: AbortSignal,
    ask?: { readonly afresh: boolean; readonly is_pass?: true },
  ): Promise<Observation<Observed>>
  /** A pass took place without a look, or nothing follows on it, as the key is suspended. Left out: the next look needs no other. */
  passedOver?(): void
  /** Pure: what to change so that `observed` becomes `desired`. Empty means true. */
  diff(desired: Desired, observed: Observed): readonly Difference<Payload>[]
  /** Pure: what keeps parts of `observed` from becoming `desired` until somebody acts. Nothing is written for them. */
  obstacles?(desired: Desired, observed: Observed): readonly Obstacle[]
  /**
   * Pure: nothing is to stand there. That nothing differs then says nothing of whose the place is. Left out: never.
   */
  isVacant?(desired: Desired, observed: Observed): boolean
  /**
   * What keeps records from being deployed at all, asked before anything of them is written anywhere: obstacles, and what a
   * further look finds where it would write for the first time. Changes nothing. Left out: nothing does.
   */
  hindrances?(wish: Hindered<Desired, Observed>, signal: AbortSignal): Promise<readonly Refusal[]>
  /**
   * Pure: whether `observed` lets in somebody whom `desired` keeps out, or that cannot be told. Then the repair never gives
   * way to somebody who keeps putting it back: that would leave the door open. Left out: never.
   */
  opens?(desired: Desired, observed: Observed): boolean
  /**
   * Digest of the part of a desired state that is this key's, where several keys share the state: what moves elsewhere
   * leaves this key as applied as it was. Left out: the whole state.
   */
  portion?(desired: Desired): string
  /** Pure: how far the world was when it was written last, where the place itself says so; null where it says nothing. */
  stampIn?(observed: Observed): WorldStamp | null
  /** Every write bears the number whole, in the same replacement as what it counts. Left out: marks stand in parts, or nowhere. */
  readonly bears_number?: boolean
  /** Pure: whether the key has to do with a record. Left out: with every one. */
  concerns?(row: IntentRow): boolean
  /**
   * What would stand in the way of these differences, in sentences: found by looking further than a pass does. Only for
   * plans; changes nothing.
   */
  foresee?(differences: readonly Difference<Payload>[], signal: AbortSignal): Promise<readonly string[]>
  /** Only writes; picks its own grain. One bad item does not sink the rest. May throw a Failure for the whole. */
  apply(
    differences: readonly Difference<Payload>[],
    desired: Desired,
    context: ApplyContext,
  ): Promise<readonly Repair[]>
  /** Pure: every difference with its cause, for people. */
  explain(sides: Sides<Desired, Observed>): Explanation
  /** Where a state has parts that belong to single domains: cuts them out, for people. */
  readonly excerpt?: Excerpt<Desired, Observed>
  /** Pure: what stands in the world for a record though nothing asks for it, for people. Left out: nothing does. */
  keeps?(desired: Desired, observed: Observed, domain_id: number): readonly string[]
  /** Calls `hint` when the world may have changed. */
  watch(hint: Hint): { close(): void }
}

/** @param what `glance` where nothing can have changed but what a glance stamps. Left out: whatever it is. */
export type Hint = (what?: 'glance') => void

export interface Hindered<Desired, Observed> {
  readonly desired: Desired
  readonly observed: Observed
  /** The records that are to be deployed. */
  readonly ids: readonly number[]
}

export type AnyTarget = Target<unknown, unknown, unknown>
export type AnyFamily = TargetFamily<unknown>
export type AnyBlueprint = Blueprint<unknown>

/** Bytes in and out; `digest` names the value, equal digests mean equal values. */
export interface Codec<Desired> {
  freeze(desired: Desired): { digest: string; chunks: readonly Uint8Array[] }
  /** @param rows the released edition, where the bytes are the newest release's */
  thaw(chunks: readonly Uint8Array[], rows?: Intent): Desired
}

export type Observation<Observed> =
  | { readonly known: true; readonly state: Observed; readonly digest: string; readonly at: Instant }
  | {
      readonly known: false
      readonly reason: 'unreachable' | 'unreadable' | 'refused'
      readonly detail: string
      readonly at: Instant
      /** The peer asked us to wait this long (Retry-After). */
      readonly retry_after_ms?: Milliseconds
    }

export interface Difference<Payload> {
  readonly key: string
  readonly verb: 'create' | 'update' | 'delete'
  /** What is changed, for people: a path, a record name. */
  readonly item: string
  /** Short texts for plans; null for absent. */
  readonly before: string | null
  readonly after: string | null
  /** Records that it concerns; left out or empty: the key as a whole. */
  readonly domain_ids?: readonly number[]
  /** Only our own note of it goes: nothing is asked of the world, so it counts in no figure of what was done. */
  readonly is_note?: true
  /** What is made first, so that it can stand there, such as its zone; of several that need the same it is one thing. */
  readonly makes?: string
  readonly payload: Payload
}

/** Something that only a person can move out of the way. */
export type Obstacle = Refusal

export interface ApplyContext {
  readonly signal: AbortSignal
  /** True when what is overwritten may be a stranger's, also where we have never written: keep it as evidence. */
  readonly evidence: boolean
  /** To be called with the place where something that was overwritten is kept. */
  readonly kept?: (place: string) => void
  /**
   * The records for which callers wait for this pass. Null: nobody asked, it is the reconciler's own try. Left out: null.
   */
  readonly asked_for?: Whose | null
  /**
   * When the pass is broken off, on the monotonic clock: looking again must be over by then. A target that works piece by
   * piece ends before it and leaves the rest unfinished. Left out: not known.
   */
  readonly ends_at?: Milliseconds
  /** To be called by a target that applies piece by piece: the differences with these keys were taken, too. */
  readonly wrote?: (keys: readonly string[]) => void
}

export type Repair =
  | { readonly key: string; readonly ok: true }
  | {
      readonly key: string
      readonly ok: false
      readonly failure: RefusedRepair
      /** Nothing went wrong, it only takes longer than a pass may: it is taken up again after `retry_after_ms`. */
      readonly unfinished?: true
    }

/** Pure. What a state holds for these domains, as text, or null for nothing. Equal parts give equal texts. */
export interface Excerpt<Desired, Observed> {
  desired(desired: Desired, domains: readonly string[]): string | null
  /** Where the world is of another kind altogether, one line says what is there instead. */
  observed(observed: Observed, domains: readonly string[]): string | null
}

/** The three sides of a comparison. `released` is null before the first release. */
export interface Sides<Desired, Observed> {
  readonly working: Desired
  readonly released: Desired | null
  readonly observed: Observed
  /** True when a row of the working edition differs from its released row. */
  readonly rows_moved: boolean
  /** What `working` is called to people where it is what a plan asks for; left out where it is the working edition. */
  readonly wanted_as?: string
}

export interface Explanation {
  readonly differences: readonly ExplainedDifference[]
  /** Unified diffs from what is there to what is wanted, each with the names of its sides; null where there is no text to compare. */
  readonly unified_diff: string | null
  /** Why the text is missing or shortened, else null. */
  readonly note: string | null
  /** What each side holds of a difference, by its item. Left out: it has no text of its own. */
  readonly sidesOf?: SidesOf
}
