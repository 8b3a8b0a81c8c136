/** What a feature brings to the daemon, which walks the list of features (`build-features.ts`). */
import type { Source } from '../engine/components.ts'
import type { Endpoint } from '../http/contract.ts'
import type { Report } from '../model/report.ts'
import type { HealthCheck } from '../core/check.ts'
import type { CommitHooks } from '../core/commit/hooks.ts'
import type { Companion } from '../http/companion.ts'
import type { FindingSource, KeptWords } from '../core/finding.ts'

/** Parts of a life. What is not needed is left out, here as in a feature. */
export interface Lifecycle {
  /** Reads what must be known before the engine takes up its work. */
  prepare?(): Promise<void>
  /** The daemon listens and the engine works. @param address where it listens */
  start?(address: string): void
  /** Ends what would still ask the engine for something: called before the engine stops. */
  stop?(): Promise<void>
  /** Lets go of what the engine works with: called after it has stopped. */
  close?(): Promise<void>
}

/** A part of a feature with a life of its own: what its wiring builds. */
export interface Module extends Lifecycle {
  /** What of it the health page looks at. */
  readonly checks?: readonly HealthCheck[]
}

export interface Feature {
  readonly name: string
  /** What the engine keeps true. */
  readonly targets?: readonly Source[]
  /** What it says of changes of intent, and does along with them. */
  readonly hooks?: CommitHooks
  readonly endpoints?: readonly Endpoint[]
  /** What it answers at a base address of its own. */
  readonly companion?: Companion
  /** What of it is looked at for the status page. */
  readonly checks?: readonly HealthCheck[]
  /** What of it a person wants to hear of thing by thing, beside what its checks find. */
  readonly findings?: FindingSource
  /** What its targets say otherwise than others do, by the name of the target. */
  readonly words?: Readonly<Record<string, KeptWords>>
  /** In the order in which they are prepared and started; they are stopped and closed in the reverse. */
  readonly lifecycles?: readonly Lifecycle[]
  /** There is another release. */
  released?(): void
  /** The engine has looked at a key, and done what there was to do. */
  reported?(report: Report): void
}
